"""Offences of wording: what each protocol's reader might choke on. A kind is named PROTOCOL_kind."""

import json

DIGITS = "9" * 400
MORE_DIGITS = "9" * 5000


def message(turn, **parts):
    turn.say(json.dumps({"type": "move", "id": turn.message["id"], "move": turn.legal[0], **parts}))


def json_not_an_object(turn):
    turn.say("[1, 2]")


def json_no_type(turn):
    turn.say('{"move": "a1"}')


def json_no_text(turn):
    message(turn, move=[1, 2])


def json_no_move(turn):
    message(turn, move=None)


def json_no_id(turn):
    turn.say(json.dumps({"type": "move", "move": turn.legal[0]}))


def json_wrong_turn(turn):
    """Answers a question of the past before the one that is asked."""
    message(turn, id=turn.message["id"] - 1, move="z9")
    turn.honest()


def json_long_numbers(turn):
    asked = turn.message["id"]
    turn.say(f'{{"type": "info", "id": {asked}, "depth": {DIGITS}, "value": 1e999, "nodes": -{DIGITS}}}')
    turn.honest()


def json_not_a_number(turn):
    turn.say(f'{{"type": "info", "id": {turn.message["id"]}, "depth": NaN, "value": Infinity, "nodes": true}}')
    turn.honest()


def json_endless_number(turn):
    turn.say(f'{{"type": "info", "id": {turn.message["id"]}, "nodes": {MORE_DIGITS}}}')


def json_deep(turn):
    turn.say("[" * 60000)


def json_surrogates(turn):
    turn.say(f'{{"type": "error", "id": {turn.message["id"]}, "message": "\\ud800\\u001b[31m"}}')


def json_surrogate_move(turn):
    message(turn, move="\ud800\x1b[2J")


def uci_long_numbers(turn):
    turn.say(f"info depth {DIGITS} nodes {DIGITS} score cp -{DIGITS}")
    turn.say(f"info depth {MORE_DIGITS} nodes ² score mate {MORE_DIGITS}")
    turn.honest()


def uci_numbers_missing(turn):
    turn.say("info depth\ninfo depth nodes score cp\ninfo score\ninfo nodes ٣ depth -5")
    turn.honest()


def uci_none(turn):
    turn.say("bestmove (none)")


def uci_nothing(turn):
    turn.say("bestmove")


def uci_resigns(turn):
    turn.say("bestmove resign")


def gtp_error(turn):
    turn.say(f"?{turn.asked} cannot think\n")


def gtp_prose(turn):
    turn.say("let me think about that")


def gtp_unfinished(turn):
    """Names its move and never ends the reply: its answer is not complete."""
    turn.say(f"={turn.asked} {turn.legal[0]}")


def gtp_wrong_number(turn):
    turn.say(f"={DIGITS} {turn.legal[0]}\n")


def gtp_resigns(turn):
    turn.say(f"={turn.asked} resign\n")


def nboard_long_numbers(turn):
    turn.say(f"nodestats {DIGITS} 1\nnodestats {MORE_DIGITS} 1\nnodestats ² 1")
    turn.say(f"=== {turn.legal[0].upper()}/{DIGITS}/{DIGITS}")


def nboard_nothing(turn):
    turn.say("===")


def nboard_slashes(turn):
    turn.say("===" + "/" * 60000)


def xy_off_the_board(turn):
    turn.say("9 9")


def xy_long_numbers(turn):
    turn.say(f"{DIGITS} {DIGITS}")


def xy_spaces(turn):
    turn.say("1" + " " * 60000 + "x")


def xy_passes(turn):
    turn.say("pass")
