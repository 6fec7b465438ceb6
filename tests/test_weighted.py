"""Weighted sums: the table adds up to the evaluation, other weights are another choice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plywright import BadInput, Game, GameError, Knowledge, load_game, search
from plywright.cli import main
from plywright.games import as_knowledge
from plywright.games.chess.knowledge import Material
from plywright.knowledge import knowledge_of
from plywright.models.cells import sample_states
from plywright.models.loading import make_model
from plywright.weighted import Term, read_weights, told_terms

WEIGHED = [
    ("tic-tac-toe", None),
    ("mnk:m=4,n=4,k=3", None),
    ("connect-four", None),
    ("breakthrough:columns=5,rows=6", None),
    ("checkers", None),
    ("othello", "hand"),
    ("chess", "material"),
]


@pytest.mark.parametrize(("name", "chosen"), WEIGHED)
def test_the_table_adds_up_to_the_evaluation(name: str, chosen: str | None) -> None:
    """Counted by `features`, which is written apart from `evaluate`."""
    game = load_game(name)
    knowledge = as_knowledge(game, chosen)
    unit = game.evaluation_unit[0] if game.evaluation_unit else 1.0
    seen = set()
    for state in sample_states(game, 60)[::3]:
        if not knowledge.is_quiet(state):
            continue
        terms = knowledge.evaluation_terms(state)
        lead = sum(term.worth[0] - term.worth[1] for term in terms)
        assert knowledge.evaluate(state, 0) == pytest.approx(unit * lead, abs=1e-9), game.format_state(state)
        seen |= {term.name for term in terms if any(term.counts)}
    assert len(seen) >= min(len(knowledge.feature_names), 2)


class Kept(Material):
    """Another evaluation under the table that it inherits."""

    def evaluate(self, state: Any, player: int) -> float:
        return super().evaluate(state, player) + (0.005 if player == 0 else -0.005)


class Told(Kept):
    """The same with a table of its own."""

    def evaluation_terms(self, state: Any) -> list[Term]:
        return [*super().evaluation_terms(state), Term("bonus", "", (0, 0), (0.5, 0))]


def test_what_an_inherited_table_does_not_explain_is_a_line_of_its_own() -> None:
    game = load_game("chess")
    for state in (game.start_state, game.play_moves(game.start_state, "e4 d5 exd5")):
        for knowledge in (Material(game), Kept(game), Told(game)):
            terms = told_terms(knowledge, state)
            lead = sum(term.worth[0] - term.worth[1] for term in terms)
            assert knowledge.evaluate(state, 0) == pytest.approx(0.01 * lead, abs=1e-9)
            assert [term.name for term in terms if term.name == "rest"] == ["rest"] * (type(knowledge) is Kept)


def test_the_table_says_whose_view_its_numbers_are(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["best", "chess", "--knowledge", "material", "--nodes", "100", "--explain-evaluation"]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert told.endswith("the lead is that of White\n")
    assert main([*command, "--moves", "e4"]) == 0
    assert "that of White, and the value above that of Black, who is to move" in capsys.readouterr().out


def test_every_weight_counts() -> None:
    """Set to what it is not, each of them changes the value of some state."""
    for name, chosen in WEIGHED:
        game = load_game(name)
        knowledge = as_knowledge(game, chosen)
        states = sample_states(game, 400)
        for feature in knowledge.feature_names:
            other = knowledge.with_weights({feature: 7.0})
            assert any(other.evaluate(state, 0) != knowledge.evaluate(state, 0) for state in states), (name, feature)
            assert other.fingerprint == knowledge.fingerprint  # weights are data: nothing is compiled again


def best(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["best", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_other_weights_on_the_command_line_are_another_choice(capsys: pytest.CaptureFixture[str]) -> None:
    """Tic-tac-toe by open lines, in whole numbers: the middle; by their opposite: an edge."""
    plain = best(capsys, "tic-tac-toe", "--depth", "1", "--explain-evaluation")
    lines = plain["evaluation"][0]
    assert plain["action"] == "b2" and (lines["name"], lines["weight"], lines["counts"]) == ("open lines", "1", [8, 8])
    assert best(capsys, "tic-tac-toe", "--depth", "1", "--weights", "open lines=-1")["action"] in (
        "a2",
        "b1",
        "b3",
        "c2",
    )
    rook = ["chess", "--knowledge", "material", "--state", "4k3/8/8/2q1r3/3P4/8/8/7K w - - 0 1", "--depth", "1"]
    assert best(capsys, *rook)["action"] == "dxc5"
    assert best(capsys, *rook, "--weights", "queen=1,rook=9")["action"] == "dxe5"


def test_chess_takes_weights_of_its_features_by_name() -> None:
    """A piece or a single feature in pawns, at every stage; a group of many weights by a factor."""
    game = load_game("chess")
    knowledge = knowledge_of(game)
    queen_up = game.read_state("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    other = knowledge.with_weights({"queen": 3.0, "rook on half-open file": 0.5})
    assert other.evaluate(queen_up, 0) < knowledge.evaluate(queen_up, 0) and other.fingerprint == knowledge.fingerprint
    half_open = game.read_state("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1")
    shown = {term.name: term.weight for term in other.evaluation_terms(half_open)}
    assert shown["rook on half-open file"] == "+0.50 to +0.50"
    nothing = dict.fromkeys(("squares", "to_move", "king danger", "queen mobility", "network"), 0.0)
    bare = knowledge.with_weights({**nothing, "queen": 1})
    assert bare.evaluate(queen_up, 0) == pytest.approx(0.01, abs=0.004)
    for text, words in (("qeen=1", "did you mean 'queen'"), ("queen=2000", "within plus or minus 1000")):
        with pytest.raises(BadInput, match=words):
            knowledge.with_weights(read_weights(text))


def test_the_table_is_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "connect-four", "--state", "44455", "--depth", "2", "--explain-evaluation"]) == 0
    shown = capsys.readouterr().out
    assert "threats" in shown and "0.0625" in shown and "lead" in shown
    assert main(["best", "tic-tac-toe", "--depth", "1", "--explain-evaluation"]) == 0
    assert "+8 +8   +0" in capsys.readouterr().out  # whole numbers stay whole
    assert main(["best", "chess", "--knowledge", "none", "--depth", "1", "--explain-evaluation"]) == 2
    assert "that of --knowledge material is" in capsys.readouterr().err


def test_each_piece_of_chess_is_a_row_with_its_weight(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["chess", "--depth", "1", "--weights", "queen=1,pawn=5", "--explain-evaluation"]
    rows = {row["name"]: row for row in best(capsys, *command)["evaluation"]}
    pieces = ["pawn", "knight", "bishop", "rook", "queen"]
    assert list(rows)[:5] == pieces and [rows[name]["counts"][0] for name in pieces] == [8, 2, 2, 2, 1]
    assert rows["queen"]["weight"] == "+1.00 to +1.00" and rows["queen"]["worth"] == pytest.approx([1, 1])
    assert rows["pawn"]["worth"][0] == pytest.approx(40) and "material" not in rows


def test_othellos_patterns_are_explained_by_families(capsys: pytest.CaptureFixture[str]) -> None:
    """The rows add up to the evaluation, for whichever side it is."""
    game = load_game("othello")
    known = knowledge_of(game)
    for moves in ("", "f5", "f5 d6 c3", "f5 d6 c3 d3 c4 f4"):
        state = game.play_moves(game.start_state, moves)
        terms = known.evaluation_terms(state)
        lead = sum(term.worth[0] - term.worth[1] for term in terms)
        assert lead == pytest.approx(known.evaluate(state, 0), abs=1e-9)
        assert sum(max(term.worth) > 0 for term in terms) > 10
    assert main(["best", "othello", "--moves", "f5", "--depth", "1", "--explain-evaluation"]) == 0
    assert "corner 3x3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mobility", "FEATURE=NUMBER"),
        ("", "FEATURE=NUMBER"),
        ("a=nan", "FEATURE=NUMBER"),
        ("a=1,a=2", "'a' is given twice"),
        ("open lins=1", "did you mean 'open lines'"),
        ("colour=1", "it has open lines, one to go, two to go"),
    ],
)
def test_weights_that_make_no_sense_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        knowledge_of(load_game("tic-tac-toe")).with_weights(read_weights(text))


def test_a_model_by_tuples_has_no_weights_of_the_games_features() -> None:
    """Its own array of weights, whose length 3 divides, is something else."""
    game = load_game("tic-tac-toe")
    model = make_model(game)
    terms = model.evaluation_terms(game.start_state)
    assert not {term.name for term in terms} & {"open lines", "one to go", "two to go"}
    with pytest.raises(BadInput, match="has no weights by name"):
        model.with_weights({"open lines": 2.0})


def test_an_evaluation_without_weights_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "nim", "--weights", "stones=1"]) == 2
    assert "has no weights by name" in capsys.readouterr().err


class Steps(Game):
    """Walk up to ten."""

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Any:
        for step in (1, 2):
            if state[0] < 10:
                yield step

    def result(self, state: Any, action: int) -> Any:
        return state[0] + action, 1 - state[1]

    def utility(self, state: Any, player: int) -> float:
        return 1 if player != state[1] else -1


class Short(Knowledge):
    feature_names = ("one", "two")
    weights_in = "weights"

    def features(self, state: Any, player: int) -> tuple[float, ...]:
        return (1.0,)

    def feature_weights(self, state: Any) -> list[float]:
        return [1.0, 2.0]


def test_features_of_the_wrong_length_are_the_authors(capsys: pytest.CaptureFixture[str]) -> None:
    game = Steps()
    with pytest.raises(GameError, match=r"features\(\) gives 1 values"):
        Short(game).evaluation_terms(game.start_state)
    assert search(game, depth=2, knowledge=Short(game)).action in (1, 2)


def test_features_without_a_weight_for_each_are_refused_by_name() -> None:
    class Unweighed(Knowledge):
        feature_names = ("lines", "corners")

        def features(self, state: Any, player: int) -> tuple[int, int]:
            return 1, 0

    game = load_game("tic-tac-toe")
    known = Unweighed(game)
    with pytest.raises(GameError, match=r"lists feature_names and has no weights: .*for each of lines, corners"):
        known.evaluation_terms(game.start_state)
    known.weights = [1.0]  # type: ignore[attr-defined]
    with pytest.raises(GameError, match="has 1 weights, and feature_names lists 2: lines, corners"):
        known.evaluation_terms(game.start_state)
