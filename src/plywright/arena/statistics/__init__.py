"""What results show: Elo, SPRT, ratings of many players, skill, winnings."""
