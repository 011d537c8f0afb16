"""The program, as a child of this process that answers a line for a line."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, Optional

PROGRAM = str(Path(__file__).with_name("bin") / ("uncoil.exe" if os.name == "nt" else "uncoil"))


class _Child:
    """A running program with the two ends of its pipes."""

    def __init__(self) -> None:
        kwargs: Dict[str, Any] = {}
        if sys.platform == "win32":
            kwargs["creationflags"] = subprocess.CREATE_NO_WINDOW
        else:
            # An interrupt from the terminal is for this process: the child ends
            # when its input does.
            kwargs["start_new_session"] = True
        self._process = subprocess.Popen(
            [PROGRAM, "batch", "-j", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            **kwargs,
        )

    def answer(self, line: bytes) -> bytes:
        """Return the answer without its newline, or nothing if the child has ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        source, rest = self._process.stdout.fileno(), memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._process.stdin.fileno(), rest) :]
        except OSError:
            return b""
        # The child reads a whole line before it answers, and each line has one answer.
        chunks = []
        while True:
            chunk = os.read(source, 1 << 16)
            if not chunk:
                return b""
            chunks.append(chunk)
            if chunk.endswith(b"\n"):
                return b"".join(chunks)[:-1]

    def end(self) -> None:
        """Close the pipes, upon which the child ends, and wait for it."""
        self._close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        self._process.kill()
        self.end()

    def forget(self) -> None:
        """Leave the child of the process before a fork alone."""
        self._close()
        self._process.returncode = 0  # else its end would be waited for

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class _State:
    """What one process has: at most one child, for one thread at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.child: Optional[_Child] = None


# By the number of the process, so that one that was forked has another state,
# whatever a thread was doing in the moment of the fork.
_states: Dict[int, _State] = {}


def answer(line: bytes) -> bytes:
    """Return the answer to a line that ends with a newline."""
    state = _states.get(os.getpid()) or _own_state()
    with state.lock:
        # A child that somebody has ended is started again, and the line asked
        # again, because an answer depends on nothing else.
        for _ in range(2):
            if state.child is None:
                state.child = _Child()
            try:
                text = state.child.answer(line)
            except BaseException:
                # An interrupt leaves an answer in the pipe that is to no later line.
                _stop(state)
                raise
            if text:
                return text
            _stop(state)
    raise RuntimeError("the program of uncoil ends without an answer: memory may have run out")


def _stop(state: _State) -> None:
    child, state.child = state.child, None
    if child is not None:
        child.kill()


def _own_state() -> _State:
    state = _states.setdefault(os.getpid(), _State())
    _forget_others()
    return state


def _forget_others() -> None:
    for pid in list(_states):
        if pid != os.getpid():
            child = _states.pop(pid).child
            if child is not None:
                child.forget()


def _end() -> None:
    state = _states.pop(os.getpid(), None)
    if state is not None and state.child is not None:
        state.child.end()


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    # At once, so that no forked process keeps the pipe of its parent open.
    os.register_at_fork(after_in_child=_forget_others)
