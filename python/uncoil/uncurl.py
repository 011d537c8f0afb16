"""parse and parse_context as the package uncurl has them, which is not maintained.

>>> from uncoil import uncurl
>>> print(uncurl.parse("curl -u ann:pw https://example.com", timeout=5))
requests.get(
    "https://example.com",
    timeout=5,
    headers={},
    cookies={},
    auth=("ann", "pw"),
)

They take every command that curl takes, and raise an UncoilError for any other. The
text of a command is a literal in the program, whatever it holds.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ._answers import convert, parse as _parse
from ._requests import homeless_options, warn

__all__ = ["ParsedContext", "parse", "parse_context"]

ParsedContext = NamedTuple(
    "ParsedContext",
    [
        ("method", str),  # in lower case
        ("url", str),
        ("data", Optional[str]),
        ("headers", Dict[str, str]),  # without Cookie, and Authorization of -u
        ("cookies", Dict[str, str]),
        ("verify", bool),  # True with -k, as uncurl has it
        ("auth", Union[Tuple[()], Tuple[str, str]]),
        ("proxy", Dict[str, str]),  # for proxies=
    ],
)


def parse_context(curl_command: str) -> ParsedContext:
    """Return what the one request of a command consists of.

    An UncoilWarning tells what a context has no place for, such as -L.
    """
    return _context(curl_command)


def _context(curl_command: str) -> ParsedContext:
    answer = convert(curl_command, data="text")
    description = _parse(curl_command)
    request = description["requests"][0]
    headers, cookies = dict(answer["headers"]), {}
    for name in list(headers):
        if name.lower() == "cookie":
            cookies = _cookies(headers.pop(name))
    auth: Union[Tuple[()], Tuple[str, str]] = ()
    given = request.get("auth") or {}
    pair = (given.get("username", ""), given.get("password", ""))
    # requests writes the text of credentials in Latin-1, and curl in UTF-8: other
    # credentials stay in the header.
    if given.get("scheme") == "basic" and "".join(pair).isascii():
        auth = pair
        headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
    options = request["options"]
    homeless = homeless_options(options, "insecure", "proxy", "proxyUser")
    if given and given["scheme"] not in ("basic", "bearer"):
        homeless.append("auth")
    warn(description["warnings"], "uncurl.ParsedContext", homeless, stacklevel=4)
    return ParsedContext(
        method=answer["method"].lower(),
        url=answer["url"],
        data=answer["data"],
        headers=headers,
        cookies=cookies,
        verify=bool(options.get("insecure")),
        auth=auth,
        proxy=_proxies(options),
    )


def parse(curl_command: str, **kwargs: Any) -> str:
    """Return the call of requests that sends the request, with further arguments."""
    context = _context(curl_command)
    arguments = [_literal(context.url)]
    arguments += [f"{name}={_literal(value)}" for name, value in sorted(kwargs.items())]
    if context.data is not None:
        arguments.append(f"data={_data(context.data)}")
    arguments.append(f"headers={_literal(context.headers)}")
    arguments.append(f"cookies={_literal(context.cookies)}")
    if context.auth:
        arguments.append(f"auth=({', '.join(map(_literal, context.auth))})")
    if context.proxy:
        arguments.append(f"proxies={_literal(context.proxy)}")
    if context.verify:
        arguments.append("verify=False")
    # requests has a function for these methods, and takes the name of any other.
    if context.method in ("get", "head", "post", "put", "patch", "delete", "options"):
        function = f"requests.{context.method}"
    else:
        function = "requests.request"
        arguments.insert(0, _literal(context.method.upper()))
    return f"{function}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _cookies(text: str) -> Dict[str, str]:
    pairs: List[Tuple[str, str]] = []
    for pair in text.split(";"):
        name, _, value = pair.strip().partition("=")
        if name:
            pairs.append((name, value))
    return dict(pairs)


def _proxies(options: Dict[str, Any]) -> Dict[str, str]:
    proxy = options.get("proxy")
    if not proxy:
        return {}
    scheme, separator, rest = str(proxy).rpartition("://")
    scheme = scheme if separator else "http"
    user = options.get("proxyUser")
    url = f"{scheme}://{user}@{rest}" if user else f"{scheme}://{rest}"
    return {"http": url, "https": url}


def _data(text: str) -> str:
    # The connection below requests writes a string in Latin-1.
    return _literal(text) if text.isascii() else f"{_literal(text)}.encode()"


def _literal(value: Any) -> str:
    """Return Python for a value: strings in double quotes, and dictionaries on lines."""
    if isinstance(value, str):
        return json.dumps(value) if value.isascii() and value.isprintable() else repr(value)
    if isinstance(value, dict) and value:
        lines = [f"        {_literal(name)}: {_literal(entry)},\n" for name, entry in value.items()]
        return "{\n" + "".join(lines) + "    }"
    return repr(value)
