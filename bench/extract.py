#!/usr/bin/env python3
"""Counts how many curl commands `uncoil extract` finds in trees of files.

    bench/extract.py PROGRAM FOLDER... [--show N] [--kind KIND]

The other count is made here, with regular expressions on single lines, and knows
nothing of blocks, shells and formats. Both counts err, so the two lists of what only
one of them has are to be read: --show prints them, the first as `missed`, the second
as `extra`. What is read as no command, or as one, goes into the figures by hand.
"""

import argparse
import collections
import json
import os
import re
import subprocess

TOKEN = re.compile(r"(?<![\w.$@:=+~-])(?:/usr/(?:local/)?bin/)?curl(?:\.exe)?(?=[ \t]+\S|[ \t]*\\\s*$)")
FIRST = re.compile(r"""\s*(?:-{1,2}[A-Za-z]|["']?(?:[a-z]+://|localhost|\$[\w{(]|<\w|\{|-|[\w-]+(?:\.[\w-]+)+[/:"'\s]|[\w.-]+:\d)|\\\s*$|[\w-]+(?:\.[\w-]+)+(?:$|[/:]))""")
URL = re.compile(r"""://|localhost|\d+\.\d+\.\d+\.\d+|\$[\w{(]|[\w-]+(?:\.[a-z-]+)+[/:"'\s?]|[\w-]+\.(?:com|org|net|io|test|sh|de|me)\b|[\w-]+:\d{2,5}|<[\w-]|\{[\w{]|%\w+%""", re.I)
# What may stand before a command on its line.
OPERATOR = re.compile(r"""(?:[|;&(`"'=>!@:,\[{}\])%$#*/~+❯➜»«]|\b\d+\.|(?:^|\s)-)\s*$""")
RUNNER = re.compile(r"(?:\b(?:sudo|then|do|else|if|elif|while|until|time|exec|env|nohup|RUN|CMD|eval|watch|xargs|command|shell|script|run|retry|cmd|http|--)|\w=\S*|-[A-Za-z-]+|\d+[smh]?)\s+$")
# What installs, names or prints curl.
PACKAGES = re.compile(r"\b(?:echo|printf|install|add|apt|apt-get|apk|yum|dnf|brew|which|type|man|hash|command -v|microdnf|zypper|pacman)\b[^;&|\n]*$")
MARK = re.compile(r"^\s*(?:#|//|\*|--|>)\s?")


def kind_of(name):
    base = os.path.basename(name).lower()
    stem, ext = os.path.splitext(base)
    if stem in ("dockerfile", "containerfile", "makefile") or ext in (".dockerfile", ".mk"):
        return "make" if "make" in stem or ext == ".mk" else "docker"
    for kind, names in {
        "markdown": ".md .mdx .markdown .qmd .rmd", "rst": ".rst .inc", "asciidoc": ".adoc .asciidoc .asc", "yaml": ".yml .yaml",
        "json": ".json", "notebook": ".ipynb", "html": ".html .htm .html-fragment .xhtml", "script": ".sh .bash .bats .zsh .ksh",
    }.items():
        if ext in names.split():
            return kind
    return "other"


def logical(lines, i, rest):
    """The rest of a line, with those that a backslash joins to it."""
    for j in range(i + 1, min(len(lines), i + 40)):
        if not rest.rstrip().endswith("\\"):
            if rest.count("'") % 2 == 0 and rest.count('"') % 2 == 0:
                break
            rest += " \\"
        rest = rest.rstrip()[:-1] + " " + MARK.sub("", lines[j])
    return rest


def judge(lines, i, match, kind):
    line = lines[i]
    before, rest = line[: match.start()], line[match.end():]
    if not FIRST.match(rest) or PACKAGES.search(before) or re.match(r"\s*v?\d+\.\d+(\.\d+)?\W*\s", rest + " "):
        return False
    opening = before[-1:]
    if kind == "other" and re.search(r"""["'](?:\$ )?$""", before):
        return False  # a string of a program
    if opening in "`\"'" and opening and before[-2:-1] != "\\":
        rest = rest.split(opening)[0]
    if not URL.search(logical(lines, i, rest)):
        return False
    stripped = MARK.sub("", before).strip()
    return stripped == "" or bool(OPERATOR.search(before) or RUNNER.search(before))


def mine(name, text):
    """The lines with commands, and how many each has."""
    found = collections.Counter()
    kind = kind_of(name)
    joined = kind in ("json", "notebook")
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if "curl" not in line:
            continue
        if joined:
            parts = re.split(r"(?<!\\)\\[nrt]", line)
            parts = [p.replace('\\"', '"').replace("\\\\", "\\") for p in parts]
            if len(parts) == 1 or kind == "notebook":
                parts += [p for p in lines[i + 1: i + 2]]
            for k, part in enumerate(parts[: len(re.split(r"(?<!\\)\\[nrt]", line))]):
                found[i + 1] += sum(judge(parts, k, m, kind) for m in TOKEN.finditer(part))
            continue
        found[i + 1] += sum(judge(lines, i, m, kind) for m in TOKEN.finditer(line))
    return +found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--kind", default="")
    args = parser.parse_args()
    theirs = collections.defaultdict(collections.Counter)
    texts = {}
    out = subprocess.run([args.program, "extract", *args.folders], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        record = json.loads(line)
        theirs[record["id"]["file"]][record["id"]["line"]] += 1
        texts[record["id"]["file"], record["id"]["line"]] = record["curl"]
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    shown = collections.Counter()
    for folder in args.folders:
        for path, folders, names in os.walk(folder):
            folders[:] = [f for f in folders if f not in (".git", "node_modules", "vendor")]
            for name in names:
                name = os.path.join(path, name)
                with open(name, "rb") as file:
                    raw = file.read(16 << 20)
                if b"curl" not in raw or b"\0" in raw[:8000]:
                    continue
                text = raw.decode("utf-8", "replace")
                ours, lines, kind = mine(name, text), text.split("\n"), kind_of(name)
                row = table[kind]
                row[0] += sum(ours.values())
                row[1] += sum(theirs[name].values())
                for at in sorted(set(ours) | set(theirs[name])):
                    for column, word, n in ((2, "missed", ours[at] - theirs[name][at]), (3, "extra", theirs[name][at] - ours[at])):
                        if n <= 0:
                            continue
                        row[column] += n
                        if args.kind in ("", kind) and shown[kind, word] < args.show:
                            shown[kind, word] += 1
                            print(f"{word}\t{kind}\t{name}:{at}\t{lines[at - 1].strip()[:150]}" + (f"\t{texts[name, at][:160]!r}" if word == "extra" else ""))
    print(f"{'kind':10} {'here':>6} {'uncoil':>6} {'missed':>6} {'extra':>6}")
    table["all"] = [sum(column) for column in zip(*table.values())]
    for kind, row in table.items():
        print(f"{kind:10} {row[0]:6} {row[1]:6} {row[2]:6} {row[3]:6}   found {100 * (1 - row[2] / max(1, row[0])):.1f} %")


if __name__ == "__main__":
    main()
