"""What a textbook search did, step by step: recorded, written to a file, drawn and replayed."""
