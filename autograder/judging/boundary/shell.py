"""A fresh IPython that runs cells and keeps what they show as nbformat outputs, within a bound.

Built once in the warm worker and inherited, untouched, by each submission's fork. History and completion are left
out: nobody types here.
"""

import base64
import contextlib
import io
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets import Any as AnyTrait
from unrolled.checking.finished import ShortCut

from autograder.words import one_line

OUTPUT_BYTES = 1_000_000  # of one cell
PASSED_OVER = "Grading has passed over a line that uses the finished model, which is not there.\n"
INSTALLING = ("pip", "conda", "mamba", "micromamba", "uv")  # line magics that start a program
# Cells that are a program's text:
OTHERS = ("!", "system", "sx", "script", "sh", "bash", "perl", "ruby", "python", "python2", "python3", "pypy")
CUT = "\n… the rest of this cell's output was cut off\n"


class Outputs:
    """Collects a cell's outputs, as dicts of nbformat 4, until the bound is reached."""

    def __init__(self, limit: int = OUTPUT_BYTES):
        self.kept: list[dict[str, Any]] = []
        self._left = limit

    def stream(self, name: str, text: str) -> None:
        if not text or not (text := self._bounded(text)):
            return
        last = self.kept[-1] if self.kept else {}
        if last.get("name") == name:
            last["text"] += text
        else:
            self.kept.append({"output_type": "stream", "name": name, "text": text})

    def _bounded(self, text: str) -> str:
        if self._left <= 0:
            return ""
        text, self._left = text[: self._left], self._left - len(text)
        return text if self._left > 0 else text + CUT

    def add(self, output: dict[str, Any]) -> None:
        """Keep a whole output, or say that it was too large."""
        self._left -= len(str(output))
        if self._left > 0:
            self.kept.append(output)
        elif self._left + len(str(output)) > 0:
            self.kept.append({"output_type": "stream", "name": "stderr", "text": CUT})


class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr while a cell runs."""

    def __init__(self, name: str, outputs: Outputs):
        self._name, self._outputs = name, outputs

    def write(self, text: str) -> int:
        self._outputs.stream(self._name, str(text))
        return len(text)

    def writable(self) -> bool:
        return True


class _Publisher(DisplayPublisher):
    outputs = AnyTrait()

    def publish(self, data, metadata=None, **options):
        bundle = {"data": _strings(data), "metadata": metadata or {}}
        self.outputs.add({"output_type": "display_data", **bundle})

    def clear_output(self, wait=False):
        self.outputs.kept.clear()


class _Hook(DisplayHook):
    outputs = AnyTrait()

    def write_output_prompt(self):
        """No prompt: the output itself is kept."""

    def write_format_data(self, format_dict, md_dict=None):
        bundle = {"data": _strings(format_dict), "metadata": md_dict or {}}
        result = {"output_type": "execute_result", "execution_count": self.prompt_count, **bundle}
        self.outputs.add(result)


def _strings(data: dict[str, Any]) -> dict[str, Any]:
    return {
        kind: base64.b64encode(item).decode() if isinstance(item, bytes) else item for kind, item in dict(data).items()
    }


class Shell(InteractiveShell):
    """`run` is all that is added."""

    def __init__(self, **options: Any):
        super().__init__(display_pub_class=_Publisher, displayhook_class=_Hook, **options)
        self._outputs = Outputs()
        self._wanting: set[str] = set()  # names that are not there since a statement was passed over
        self.history_manager.enabled = False
        self.colors = "nocolor"
        self.enable_gui = lambda gui=None: None
        self._refuse_programs()

    def run(self, source: str) -> tuple[list[dict[str, Any]], bool]:
        """Run one cell: its outputs, and whether it raised. A KeyboardInterrupt ends the cell only."""
        self._outputs = self.display_pub.outputs = self.displayhook.outputs = outputs = Outputs()
        streams = _Stream("stdout", outputs), _Stream("stderr", outputs)
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            result = self.run_cell(source, store_history=True)
        return outputs.kept, not result.success

    async def run_code(self, code_obj, result=None, *, async_=False):
        """Run one statement. One that calls the finished model, which is shut in grading, is passed over.

        So is one that fails for want of a name that would have come of it. A student's own cell may try the finished
        model beside the answer, and what else stands there shall count as it did in the notebook.
        """
        failed = await super().run_code(code_obj, result, async_=async_)
        if not failed or result is None or not self._is_for_want(result.error_in_exec):
            return failed
        self._wanting.update(name for name in code_obj.co_names if name not in self.user_ns)
        result.error_in_exec = None
        return False

    def _is_for_want(self, error: BaseException | None) -> bool:
        """Whether a statement failed since the finished model is shut."""
        return isinstance(error, ShortCut) or (isinstance(error, NameError) and error.name in self._wanting)

    def system(self, cmd):
        """`!cmd`: there is no program to run in the jail, and what stands beside such a line shall run."""
        self._pass_over(f"this line: !{cmd}")

    def getoutput(self, cmd, split=True, depth=0):
        """`x = !cmd`, which then has no lines."""
        self._pass_over(f"this line: !{cmd}")
        return SList() if split else ""

    def _refuse_programs(self) -> None:
        """Exchange the magics that start a program by themselves."""
        for name in INSTALLING:
            self.register_magic_function(
                lambda line, name=name: self._pass_over(f"this line: %{name} {line}"), "line", name
            )
        for name in OTHERS:
            self.register_magic_function(
                lambda line, cell, name=name: self._pass_over(f"this cell: %%{name} {line}"), "cell", name
            )

    def _pass_over(self, what: str) -> None:
        self._outputs.stream("stderr", f"Grading runs no programs and has passed over {one_line(what, 80)}\n")

    def _tee(self, channel):
        """IPython would keep a second copy of all output, without a bound."""
        return contextlib.nullcontext()

    def _showtraceback(self, kind, value, lines):
        if self._is_for_want(value):
            return self._outputs.stream("stderr", PASSED_OVER)
        name = getattr(kind, "__name__", str(kind))
        self._outputs.add({"output_type": "error", "ename": name, "evalue": str(value), "traceback": list(lines)})
