"""The functions that ask the program."""

from __future__ import annotations

import base64
import json
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _process
from ._errors import UncoilError, fixed

Content = Union[str, bytes]

# How a line of an answer begins, before the JSON and one closing brace.
_RESULT, _ERROR = b'{"id":null,"result":', b'{"id":null,"error":'


def convert(
    command: str,
    *,
    files: Optional[Mapping[str, Content]] = None,
    stdin: Optional[Content] = None,
    env: Optional[Mapping[str, str]] = None,
    shell: Optional[str] = None,
    entry: Optional[int] = None,
    warnings: bool = False,
    data: Optional[str] = None,
) -> Dict[str, Any]:
    """Return the method, url, headers and data of the one request of a command.

    With data="text", data is the exact body as a string; else a body of JSON is its
    value, and a form of -F an object. What these four cannot describe is an error.
    """
    text = convert_text(
        command, files=files, stdin=stdin, env=env, shell=shell, entry=entry, warnings=warnings, data=data
    )
    return _object(text)


def convert_text(
    command: str,
    *,
    files: Optional[Mapping[str, Content]] = None,
    stdin: Optional[Content] = None,
    env: Optional[Mapping[str, str]] = None,
    shell: Optional[str] = None,
    entry: Optional[int] = None,
    warnings: bool = False,
    data: Optional[str] = None,
) -> str:
    """Return the JSON of convert, in which numbers have all of their digits."""
    more = {"warnings": warnings or None, "data": data}
    return _answer("convert", command, files, stdin, env, shell, entry, more)


def parse(
    command: str,
    *,
    files: Optional[Mapping[str, Content]] = None,
    stdin: Optional[Content] = None,
    env: Optional[Mapping[str, str]] = None,
    shell: Optional[str] = None,
    entry: Optional[int] = None,
) -> Dict[str, Any]:
    """Return everything that a command says about each of its requests, and warnings."""
    return _object(parse_text(command, files=files, stdin=stdin, env=env, shell=shell, entry=entry))


def parse_text(
    command: str,
    *,
    files: Optional[Mapping[str, Content]] = None,
    stdin: Optional[Content] = None,
    env: Optional[Mapping[str, str]] = None,
    shell: Optional[str] = None,
    entry: Optional[int] = None,
) -> str:
    """Return the JSON of parse."""
    return _answer("parse", command, files, stdin, env, shell, entry, {})


class Program(str):
    """The text of a program, with what the answer says of it."""

    target: str
    language: str
    kind: str
    filename: str
    imports: str = ""  # what a bare program needs above it
    function: Optional[Dict[str, Any]] = None  # what the program defines, where it is a function
    dependencies: List[Dict[str, str]]  # the packages that it needs
    differs: List[Dict[str, Any]]  # what it sends or does otherwise than curl
    warnings: List[Dict[str, Any]]  # what the client cannot do, among others


def code(
    command: str,
    to: str,
    *,
    files: Optional[Mapping[str, Content]] = None,
    stdin: Optional[Content] = None,
    env: Optional[Mapping[str, str]] = None,
    shell: Optional[str] = None,
    entry: Optional[int] = None,
    # Generated from internal/edge/switches: arguments.
    style: Optional[str] = None,
    bare: bool = False,
    variables: Optional[str] = None,
    drop_noise: bool = False,
    move_secrets: bool = False,
    function: Optional[str] = None,
    raw_parameters: bool = False,
    decode_json: bool = False,
    check_status: bool = False,
    indent: Optional[str] = None,
    long_names: bool = False,
    drop_cookies: bool = False,
    placeholders: Optional[str] = None,
    common_js: bool = False,
    csharp7: bool = False,
    # End of arguments.
) -> Program:
    """Return the program that sends the requests of a command.

    to is a name that `uncoil targets` lists, such as "python" or "go".
    """
    more = {
        "target": to,
        # Generated from internal/edge/switches: values.
        "style": style,
        "bare": bare or None,
        "variables": variables,
        "dropNoise": drop_noise or None,
        "moveSecrets": move_secrets or None,
        "function": function,
        "rawParameters": raw_parameters or None,
        "decodeJson": decode_json or None,
        "checkStatus": check_status or None,
        "indent": indent,
        "longNames": long_names or None,
        "dropCookies": drop_cookies or None,
        "placeholders": placeholders,
        "commonJs": common_js or None,
        "csharp7": csharp7 or None,
        # End of values.
    }
    answer = _object(_answer("code", command, files, stdin, env, shell, entry, more))
    program = Program(answer.pop("code"))
    vars(program).update(answer)
    return program


def _answer(
    form: str,
    command: str,
    files: Optional[Mapping[str, Content]],
    stdin: Optional[Content],
    env: Optional[Mapping[str, str]],
    shell: Optional[str],
    entry: Optional[int],
    more: Mapping[str, Any],
) -> str:
    """Return the JSON of an answer, or raise the error in its place."""
    if not isinstance(command, str):
        raise TypeError(f"the command must be a string, not {type(command).__name__}")
    line: Dict[str, Any] = {"as": form, "curl": command, "env": env, "shell": shell, "entry": entry, **more}
    if files is not None:
        line["files"] = {name: _content(content) for name, content in files.items()}
    if stdin is not None:
        line["stdin"] = _content(stdin)
    line = {name: value for name, value in line.items() if value is not None}
    answer = _process.answer(json.dumps(line).encode("ascii") + b"\n")
    if answer.startswith(_RESULT):
        return answer[len(_RESULT) : -1].decode("utf-8")
    problem = json.loads(answer[len(_ERROR) : -1])
    raise UncoilError(problem, fixed(command, problem))


def _content(content: Content) -> Any:
    if isinstance(content, str):
        return content
    return {"base64": base64.b64encode(content).decode("ascii")}


def _object(text: str) -> Dict[str, Any]:
    answer: Dict[str, Any] = json.loads(text)
    return answer
