"""Decision theory on the page: lotteries, the elicitation of a utility function, Allais' questions, the axioms."""
