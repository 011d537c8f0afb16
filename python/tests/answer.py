"""Answers the questions of wheel_test.go: a line of JSON in, a line of JSON out."""

import base64
import json
import sys

import uncoil


def content(value):
    return base64.b64decode(value["base64"])


def answer(function, command, options):
    if "files" in options:
        options["files"] = {name: content(value) for name, value in options["files"].items()}
    if "stdin" in options:
        options["stdin"] = content(options["stdin"])
    try:
        if function == "code":
            program = uncoil.code(command, options.pop("target"), **options)
            return {"ok": True, "program": {"code": program, **vars(program)}}
        text = getattr(uncoil, function + "_text")(command, **options)
        assert json.loads(text) == getattr(uncoil, function)(command, **options)
        return {"ok": True, "text": text}
    except uncoil.UncoilError as error:
        return {"ok": False, "problem": error.problem}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(answer(question["function"], question["command"], question["options"])))
