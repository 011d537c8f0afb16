"""The request of a command as an object of requests or httpx."""

from __future__ import annotations

import base64
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from ._answers import convert, parse
from ._errors import UncoilError, UncoilWarning

if TYPE_CHECKING:
    import httpx
    import requests


class _Parts(NamedTuple):
    """What an object of a client is made of."""

    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]
    files: Optional[List[Any]]  # in place of content, for a form with bytes that are no text
    digest: Optional[Tuple[str, str]]


def to_requests(command: str, **options: Any) -> requests.Request:
    """Return the one request of a command as a requests.Request, which is not sent.

    The options are those of parse. An UncoilWarning tells what the object has no place
    for, such as -k or a proxy: these are arguments of Session.send. Redirects are not
    curl's default: send with allow_redirects=False unless the command has -L.
    """
    import requests

    parts = _parts(command, options, "requests.Request", digest=True)
    auth = requests.auth.HTTPDigestAuth(*parts.digest) if parts.digest else None
    return requests.Request(
        parts.method, parts.url, headers=parts.headers, data=parts.content, files=parts.files, auth=auth
    )


def to_httpx(command: str, **options: Any) -> httpx.Request:
    """Return the one request of a command as an httpx.Request, which is not sent.

    The options are those of parse. An UncoilWarning tells what the object has no place
    for, such as -k, a proxy or -L: these are arguments of the client.
    """
    import httpx

    parts = _parts(command, options, "httpx.Request", digest=False)
    return httpx.Request(
        parts.method, parts.url, headers=parts.headers, content=parts.content, files=parts.files
    )


def _parts(command: str, options: Dict[str, Any], holder: str, *, digest: bool) -> _Parts:
    description = parse(command, **options)
    content: Optional[bytes] = None
    files = None
    try:
        answer = convert(command, data="text", **options)
    except UncoilError as error:
        # The description has the bytes of a body that is no text.
        request = description["requests"][0]
        if error.code != "binary-body" or any("value" not in field for field in request["headers"]):
            raise
        headers = _joined(request["headers"])
        if request["body"]["kind"] == "multipart":
            files = _files(request["body"]["parts"], error)
            headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
        else:
            content = base64.b64decode(request["body"]["base64"])
        answer = {"method": request["method"], "url": request["url"], "headers": headers}
    else:
        request = description["requests"][0]
        if answer["data"] is not None:
            content = answer["data"].encode("utf-8")
    auth = request.get("auth")
    credentials = None
    homeless = homeless_options(request["options"])
    if auth is not None and not any(name.lower() == "authorization" for name in answer["headers"]):
        if digest and auth["scheme"] == "digest":
            credentials = (auth.get("username", ""), auth.get("password", ""))
        else:
            homeless.append("auth")
    warn(description["warnings"], holder, homeless, stacklevel=4)
    return _Parts(answer["method"], answer["url"], answer["headers"], content, files, credentials)


def _joined(fields: List[Dict[str, Any]]) -> Dict[str, str]:
    """Return header fields as a dictionary, in which those of one name are one (RFC 9110)."""
    headers: Dict[str, str] = {}
    for field in fields:
        name, value = field["name"], field["value"]
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _files(parts: List[Dict[str, Any]], error: UncoilError) -> List[Any]:
    """Return the parts of a form as both clients take them."""
    files = []
    for part in parts:
        content = part.get("value", part.get("content"))
        if content is None and "base64" in part:
            content = base64.b64decode(part["base64"])
        if content is None:  # a part that has parts
            raise error
        headers = dict(line.split(": ", 1) for line in part.get("headers", []))
        files.append((part["name"], (part.get("filename"), content, part.get("contentType"), headers)))
    return files


def homeless_options(options: Dict[str, Any], *taken: str) -> List[str]:
    """Return the options that are not taken, but for what the clients do unasked."""
    return [name for name in options if name not in (*taken, "compressed")]


def warn(found: List[Dict[str, Any]], holder: str, homeless: List[str], *, stacklevel: int) -> None:
    """Tell the doubts among the warnings, and what has no place."""
    told = [warning["message"] for warning in found if warning["level"] == "doubt"]
    if homeless:
        told.append(f"{holder} has no place for {', '.join(homeless)}: pass them when you send it")
    for message in told:
        warnings.warn(message, UncoilWarning, stacklevel=stacklevel)
