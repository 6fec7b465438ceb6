"""Who lives in the zoo, and how docs/referee.md has each judged: (protocol, kind) -> (cause, words of the note)."""

MANNERS = {
    "late": ("late", ""),
    "silent": ("late", ""),
    "drips": ("late", ""),
    "crash_mid_game": ("crashed", "division by cucumber"),
    "dies_by_signal": ("crashed", "SIGSEGV"),
    "partial_line": ("late", ""),
    "partial_line_and_gone": ("crashed", "status 0"),
    "flood": ("flooded", "without an end"),
    "empty_lines": ("flooded", "empty lines"),
    "flood_of_errors": ("normal", ""),
    "errors_without_end": ("late", ""),
    "illegal": ("illegal", ""),
    "closes_stdin": ("crashed", "no longer reads"),
    "closes_stdout": ("crashed", "closed its output"),
    "closes_both": ("crashed", ""),
    "ignores_signals": ("late", ""),
    "stops_itself": ("late", ""),
}
"""Of every protocol."""

UNDER_BUBBLEWRAP = {"dies_by_signal": "status 139"}
"""Other words of a note, where bubblewrap tells the end of a program in its own way."""

OWN = {
    ("json", "garbage"): ("illegal", "not JSON"),
    ("json", "flood_of_lines"): ("flooded", "where one answer was due"),
    ("json", "writes_after_its_turn"): ("normal", ""),
    ("json", "not_an_object"): ("illegal", "type"),
    ("json", "no_type"): ("illegal", "type"),
    ("json", "no_text"): ("illegal", "no text"),
    ("json", "no_move"): ("illegal", "no text"),
    ("json", "no_id"): ("illegal", "without the id"),
    ("json", "wrong_turn"): ("normal", ""),
    ("json", "long_numbers"): ("normal", ""),
    ("json", "not_a_number"): ("normal", ""),
    ("json", "endless_number"): ("illegal", "not JSON"),
    ("json", "deep"): ("illegal", "not JSON"),
    ("json", "surrogates"): ("crashed", "gave up"),
    ("json", "surrogate_move"): ("illegal", ""),
    ("uci", "long_numbers"): ("normal", ""),
    ("uci", "numbers_missing"): ("normal", ""),
    ("uci", "none"): ("illegal", "named no move"),
    ("uci", "nothing"): ("illegal", "named no move"),
    ("uci", "resigns"): ("resigned", ""),
    ("gtp", "error"): ("illegal", "cannot think"),
    ("gtp", "prose"): ("illegal", "no reply in gtp"),
    ("gtp", "unfinished"): ("late", ""),
    ("gtp", "wrong_number"): ("late", ""),
    ("gtp", "resigns"): ("resigned", ""),
    ("nboard", "long_numbers"): ("normal", ""),
    ("nboard", "nothing"): ("illegal", "named no move"),
    ("nboard", "slashes"): ("illegal", "named no move"),
    ("xy", "garbage"): ("illegal", "no move"),
    ("xy", "off_the_board"): ("illegal", "no move"),
    ("xy", "long_numbers"): ("illegal", "no move"),
    ("xy", "spaces"): ("illegal", "no move"),
    ("xy", "passes"): ("illegal", ""),
}

GREED = {
    "memory_hog": ("crashed", ""),
    "shared_memory": ("crashed", ""),
    "memory_files": ("crashed", ""),
    "large_file": ("crashed", ""),
    "many_files": ("crashed", ""),
    "fork_bomb": ("crashed late", ""),
    "forking": ("normal", ""),
    "spins_at_rest": ("normal", ""),
    "daemons_at_rest": ("normal", ""),
    "crowds": ("late", ""),
}
"""Against the machine: in JSON lines, since a protocol has no part in it."""

PROTOCOLS = ("json", "uci", "gtp", "nboard", "xy")
VERDICTS = {
    **{(protocol, kind): verdict for kind, verdict in MANNERS.items() for protocol in PROTOCOLS},
    **OWN,
    **{("json", kind): verdict for kind, verdict in GREED.items()},
}
ELSEWHERE = (
    *("crash_at_start", "mute", "kills_its_supervisor", "stops_its_supervisor", "shrinks_its_pipe"),
    *("new_namespaces", "tells", "looks_for_records", "remembers_deals"),
)
"""Kinds with a test of their own."""
SLOW = 1.0
"""Seconds a move of kinds that are late."""
QUICK = {
    *((protocol, "illegal") for protocol in PROTOCOLS),
    *(("json", kind) for kind in ("crash_mid_game", "dies_by_signal", "partial_line", "flood", "empty_lines")),
    *(("json", kind) for kind in ("closes_stdin", "closes_stdout", "flood_of_lines", "wrong_turn", "no_id")),
    *(("json", kind) for kind in ("long_numbers", "not_a_number", "endless_number", "deep", "surrogates")),
    *(("uci", "long_numbers"), ("uci", "none"), ("gtp", "error"), ("gtp", "unfinished"), ("nboard", "long_numbers")),
    *(("xy", "long_numbers"), ("json", "memory_hog"), ("json", "forking")),
}
"""The sample that runs every time, one of each way to fail; the rest is marked slow."""
