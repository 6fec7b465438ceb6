"""Opening books: positions with values that long searches have backed up, in one file, for any game."""

from .book import SUFFIX, Book, book_of, open_book
from .build import BookProgress, build_book

__all__ = ["SUFFIX", "Book", "BookProgress", "book_of", "build_book", "open_book"]
