"""`plywright utility`: lotteries, preferences, decisions."""
