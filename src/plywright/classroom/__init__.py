"""A class: a folder of programs that are checked, play a tournament and are told what came of it."""
