"""Every widget is tested as a reader without a mouse, or without all colours, has it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIDGETS = sorted(path.parent.name for path in (ROOT / "course" / "unrolled" / "widgets").glob("*/widget.py"))


@pytest.mark.parametrize("widget", WIDGETS)
def test_keyboard_axe_and_contrast_are_tested(widget):
    text = (ROOT / "tests" / "widgets" / f"test_{widget}_browser.py").read_text("utf-8")
    assert "tab_stops(" in text, "no test follows the Tab key through it"
    assert "keyboard.press(" in text or ".press(" in text, "no test works it by keys"
    assert "violations(" in text and "THEMES" in text, "axe does not look at it in light and dark"
    assert "contrast(" in text or "assert_readable(" in text
