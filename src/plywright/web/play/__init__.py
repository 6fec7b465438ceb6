"""A game at a table of the page: what is saved of it, who sits there, what each seat may see, and who thinks.

`table.py` is what is saved, `game_replay.py` the game replayed from it, `position.py` a moment of it, `seats.py`
the players, `program_pool.py` the programs that are alive, `table_view.py` what one page shows, `clicks.py` how
pictures are pointed at, `marks.py` the last move in them, `move_search.py` the searches of
non-human players, `autoplay.py` the moves that need no person, `progress_parts.py` what is heard of a search,
`status_text.py` sentences.
"""
