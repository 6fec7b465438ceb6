"""Textbook algorithms step by step, and exercises on paper."""
