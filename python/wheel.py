"""Builds the wheels of uncoil, without a network and without other packages.

    python3 wheel.py [--licenses FILE] FOLDER PROGRAM ...

A program is named uncoil-OS-ARCH or uncoil-OS-ARCH.exe, as `make dist` names it; each
becomes a wheel in the folder. The same program gives the same bytes. A wheel is a zip
with a list of its files: https://packaging.python.org/specifications/binary-distribution-format
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# The name of the distribution: that of the package alone is another tool's.
NAME = "uncoil_http"

# The programs are linked statically, so that one for Linux needs no C library. Go
# supports macOS from version 12 on.
TAGS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}

METADATA = """\
Metadata-Version: 2.1
Name: uncoil-http
Version: {version}
Summary: Says which HTTP request a curl command would send, exactly as curl would
License: Apache-2.0
Keywords: curl,http,requests,httpx,uncurl,parser
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: requests
Requires-Dist: requests; extra == "requests"
Provides-Extra: httpx
Requires-Dist: httpx; extra == "httpx"
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: uncoil
Root-Is-Purelib: false
{tags}
"""

ENTRY_POINTS = "[console_scripts]\nuncoil = uncoil.__main__:main\n"


def version() -> str:
    text = (ROOT / "uncoil" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def write_wheel(folder: Path, program: Path, licenses: list[Path]) -> Path:
    system = program.name.removeprefix("uncoil-").removesuffix(".exe")
    if system not in TAGS:
        raise SystemExit(f"{program.name} is not named after a system: uncoil-{', uncoil-'.join(TAGS)}")
    release = version()
    info = f"{NAME}-{release}.dist-info"
    tags = TAGS[system].split(".")
    executable = "uncoil.exe" if system.startswith("windows") else "uncoil"

    files = {f"uncoil/{path.name}": path.read_bytes() for path in sorted((ROOT / "uncoil").glob("*.py"))}
    files["uncoil/py.typed"] = b""
    files[f"uncoil/bin/{executable}"] = program.read_bytes()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files[f"{info}/METADATA"] = METADATA.format(version=release, readme=readme).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tags="\n".join(f"Tag: py3-none-{tag}" for tag in tags)).encode()
    files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    for path in [ROOT.parent / "LICENSE", *licenses]:
        files[f"{info}/licenses/{path.name}"] = path.read_bytes()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()

    wheel = folder / f"{NAME}-{release}-py3-none-{TAGS[system]}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980, so that the bytes depend on no clock
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
            archive.writestr(entry, content)
    return wheel


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the wheels of uncoil.")
    parser.add_argument("--licenses", type=Path, action="append", default=[], help="a file with further licences")
    parser.add_argument("folder", type=Path)
    parser.add_argument("programs", type=Path, nargs="+", metavar="program")
    args = parser.parse_args()
    for program in args.programs:
        print(write_wheel(args.folder, program, args.licenses))


if __name__ == "__main__":
    main()
