"""Where the nodes of a tree go: level by level, subtrees as close as they get without touching.

Every subtree has an outline, its leftmost and rightmost point on each level (Reingold & Tilford
1981). Subtrees are set side by side by their outlines, and a parent stands over the middle of its
children, so equal subtrees look equal and nothing overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence


def tidy_positions(
    children: Sequence[Sequence[int]], left: Sequence[float], right: Sequence[float], gap: float
) -> list[float]:
    """The horizontal centre of every node; the leftmost point of the whole tree is at 0.

    Node 0 is the root and every node has a smaller number than its children. `left` and `right` say
    how far a node reaches from its centre; `gap` is what stays free between neighbours.
    """
    outlines: dict[int, tuple[list[float], list[float]]] = {}  # per level below, from the node's own centre
    offset = [0.0] * len(children)  # of a node's centre from its parent's
    for node in range(len(children) - 1, -1, -1):
        lefts: list[float] = []
        rights: list[float] = []
        places: list[float] = []
        for child in children[node]:
            child_lefts, child_rights = outlines.pop(child)
            shift = max((a - b for a, b in zip(rights, child_lefts, strict=False)), default=0.0)
            shift = shift + gap if places else 0.0
            places.append(shift)
            lefts += [shift + x for x in child_lefts[len(lefts) :]]
            rights = [shift + x for x in child_rights] + rights[len(child_rights) :]
        centre = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[node], places, strict=True):
            offset[child] = place - centre
        outlines[node] = (
            [-left[node], *(x - centre for x in lefts)],
            [right[node], *(x - centre for x in rights)],
        )
    centres = [-min(outlines[0][0], default=0.0)] * len(children)
    for node, below in enumerate(children):
        for child in below:
            centres[child] = centres[node] + offset[child]
    return centres
