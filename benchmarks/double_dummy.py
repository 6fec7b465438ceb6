"""The double-dummy solver beside DDS (the package endplay), deal by deal in one run: twenty results of random deals.

    python benchmarks/double_dummy.py --deals 100 [--json FILE]

Prints the median time of each, their ratio, the 95th percentile, and how many deals had equal results; beside the time
that passes also the processor time, all threads counted, which a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    from endplay.dds import calc_dd_table
    from endplay.types import Deal, Denom, Player

    from plywright.bridge import deal_text, double_dummy

    rng = random.Random(options.seed)
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    ours: list[float] = []
    theirs: list[float] = []
    work: list[tuple[float, float]] = []
    equal = 0
    for number in range(options.deals + 1):  # the first, with its compilation, does not count
        cards = rng.sample(deck, 52)
        hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
        began, busy = time.perf_counter(), time.process_time()
        found = double_dummy(hands)
        seconds, own = time.perf_counter() - began, time.process_time() - busy
        began, busy = time.perf_counter(), time.process_time()
        table = calc_dd_table(Deal(deal_text(hands)))
        other, foreign = time.perf_counter() - began, time.process_time() - busy
        if number == 0:
            continue
        ours.append(seconds)
        theirs.append(other)
        work.append((own, foreign))
        same = all(
            table[Denom.find("CDHSN"[strain]), Player.find("NESW"[seat])] == tricks
            for (strain, seat), tricks in found.items()
        )
        equal += same
        times = f"{seconds:6.2f} s, DDS {other:6.2f} s, of the processor {own:6.2f} s, DDS {foreign:6.2f} s"
        print(f"{number:>4}  {'equal' if same else 'OTHER'}  {times}", flush=True)
    ninety_fifth = sorted(ours)[max(int(0.95 * len(ours)) - 1, 0)]
    summary = {
        "deals": len(ours),
        "equal": equal,
        "median_seconds": round(statistics.median(ours), 3),
        "dds_median_seconds": round(statistics.median(theirs), 3),
        "ratio_of_medians": round(statistics.median(ours) / statistics.median(theirs), 2),
        "percentile_95_seconds": round(ninety_fifth, 3),
        "dds_percentile_95_seconds": round(sorted(theirs)[max(int(0.95 * len(theirs)) - 1, 0)], 3),
        "median_processor_seconds": round(statistics.median(one for one, _ in work), 3),
        "dds_median_processor_seconds": round(statistics.median(two for _, two in work), 3),
        "percentile_95_processor_seconds": round(sorted(one for one, _ in work)[max(int(0.95 * len(work)) - 1, 0)], 3),
        "slowest_seconds": round(max(ours), 3),
    }
    print(json.dumps(summary, indent=1))
    if options.json is not None:
        options.json.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
