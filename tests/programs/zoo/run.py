"""A zoo of hostile programs: `python run.py PROTOCOL KIND MARK`. MARK finds what they leave behind."""

import sys
import time

import greed
import manners
import texts
from frames import FRAMES


def main(protocol, kind):
    if kind == "crash_at_start":
        print("out of cheese", file=sys.stderr)
        sys.exit(3)
    if kind == "mute":
        time.sleep(1000)
    if kind == "shrinks_its_pipe":
        sys.stdin = manners.slowly()
    for house in (manners, texts, greed):
        behave = getattr(house, f"{protocol}_{kind}", None) or getattr(house, kind, None)
        if behave is not None:
            FRAMES[protocol](behave)
            return
    sys.exit(f"there is no {kind}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
