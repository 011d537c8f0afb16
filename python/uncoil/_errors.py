"""What goes wrong: errors in a command, and what a request cannot hold."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class UncoilError(ValueError):
    """An error in a command or in its options. The message holds no secret.

    code    names the error, and is never renamed
    line    the place in the command, counted from 1, where there is one;
    column  in characters
    hint    what to do about it, or None
    fix     the command as it was probably meant, where that is certain, or None
    problem the problem document (RFC 9457) that the service would send
    """

    code: str
    line: Optional[int]
    column: Optional[int]
    hint: Optional[str]
    fix: Optional[str]
    problem: Mapping[str, Any]

    def __init__(self, problem: Mapping[str, Any], fix: Optional[str] = None) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        self.code = problem["code"]
        self.line = problem.get("line")
        self.column = problem.get("column")
        self.hint = problem.get("hint")
        self.fix = fix

    def __reduce__(self) -> Any:
        # Workers send what they raise to the process that waits for them.
        return UncoilError, (self.problem, self.fix)


class UncoilWarning(UserWarning):
    """A doubt about a command, or a part of it that a request has no place for."""


def fixed(command: str, problem: Mapping[str, Any]) -> Optional[str]:
    """Apply the fix of a problem, whose span is in bytes of UTF-8."""
    fix = problem.get("fix")
    if fix is None:
        return None
    text = command.encode("utf-8")
    start, end = fix["span"]["start"], fix["span"]["end"]
    return text[:start].decode("utf-8") + str(fix["text"]) + text[end:].decode("utf-8")
