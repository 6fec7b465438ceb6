"""A game at a table of the page: what is saved of it, who sits there, what each seat may see, and who thinks.

`table.py` is what is saved, `course.py` the game replayed from it, `seats.py` the players, `scene.py` what one
page shows, `clicks.py` how pictures are pointed at, `thinking.py` the engine at work, `telling.py` what is
heard of it, `words.py` sentences.
"""
