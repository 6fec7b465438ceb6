"""Run the notebooks of this folder and write their outputs back: `python examples/run_notebooks.py [NAME ...]`.

What a cell ends with is shown as a notebook shows it, pictures as SVG. Nothing but Plywright is needed, and the outputs
are the same in every run, so that a test can compare them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def run_notebook(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of every code cell, in order; an error ends the run and is raised."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for number, cell in enumerate(c for c in notebook["cells"] if c["cell_type"] == "code"):
        source = "".join(cell["source"])
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number + 1}", "exec"), names)
            value = eval(compile(ast.Expression(last.value), f"cell {number + 1}", "eval"), names) if last else None
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
        if value is not None:
            outputs.append(shown(value, number + 1))
        found.append(outputs)
    return found


def shown(value: Any, number: int) -> dict[str, Any]:
    """A value as a notebook keeps it: as a picture where it is one, and as text."""
    svg = value._repr_svg_() if hasattr(value, "_repr_svg_") else None
    data = {"image/svg+xml": lines(svg)} if svg else {}
    data["text/plain"] = lines(str(value) if svg else repr(value))
    return {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(names: list[str]) -> None:
    paths = [FOLDER / f"{name}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb"))
    for path in paths:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, outputs) in enumerate(zip(cells, run_notebook(notebook), strict=True), 1):
            cell["outputs"], cell["execution_count"] = outputs, number
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(cells)} cells")


if __name__ == "__main__":
    main(sys.argv[1:])
