"""Says which HTTP request a curl command would send, exactly as curl would.

>>> import uncoil
>>> uncoil.convert("curl -d a=1 https://example.com")["method"]
'POST'

The package has the program of the same name and keeps one child per process, which
answers all calls. It sends nothing, and reads no file that a command names.
"""

from __future__ import annotations

from ._answers import Program, code, convert, convert_text, parse, parse_text
from ._errors import UncoilError, UncoilWarning
from ._requests import to_httpx, to_requests

__version__ = "0.1.0"

__all__ = [
    "Program",
    "UncoilError",
    "UncoilWarning",
    "code",
    "convert",
    "convert_text",
    "parse",
    "parse_text",
    "to_httpx",
    "to_requests",
]
