"""A game at a table of the page: what is saved of it, who sits there, what each seat may see, and who thinks.

`table.py` is what is saved, `course.py` the game replayed from it, `position.py` a moment of it, `seats.py` the
players, `company.py` the programs that are alive, `scene.py` what one page shows, `clicks.py` how pictures are
pointed at, `marks.py` the last move in them, `thinking.py` the engine at work, `telling.py` what is heard of it,
`words.py` sentences.
"""
