"""What searches know beside the rules: learned, shown, endgame tables, opening books."""
