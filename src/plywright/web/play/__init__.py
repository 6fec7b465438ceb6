"""A game at a table of the page: what is saved of it, who sits there, what each seat may see, and who thinks.

`choosing.py` is what comes before a game, `table.py` what is saved, `game_replay.py` the game replayed from it,
`position.py` a moment of it, `seats.py` the players, `program_pool.py` the programs that are alive,
`table_view.py` what one page shows, `clicks.py` how pictures are pointed at, `marks.py` the last move in them,
`move_search.py` the searches of non-human players, `autoplay.py` the moves that need no person, `analysis.py`
the one search that lines, bar, hint and "why not?" read, `game_review.py` a game explained, `estimates.py`
values as people say them, `streams.py` what an open page hears, `progress_parts.py` what is heard of a search,
`status_text.py` sentences.
"""
