"""Python's re asked the same as tare's regex_cat."""

import json
import re
import subprocess
import warnings
from re import _parser as parser

warnings.simplefilter("ignore")
REPEATS = (parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT)


def rows(matches):
    return [[match.group(0), *match.groups()] for match in matches]


def row(match):
    return None if match is None else [match.group(0), *match.groups()]


def reference(pattern, texts, replacement):
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return {"error": str(error)}
    outcomes = [outcome(compiled, text, replacement) for text in texts]
    return {"groups": compiled.groups, "outcomes": outcomes}


def outcome(compiled, text, replacement):
    try:
        replaced = compiled.sub(replacement, text)
    except (re.error, IndexError) as error:
        replaced = {"error": str(error)}
    return {
        "find": rows(compiled.finditer(text)),
        "sub": replaced,
        "split": compiled.split(text),
        "match": row(compiled.match(text)),
        "full": row(compiled.fullmatch(text)),
    }


def repeats_nothing(pattern):
    """Whether a repeat stands over something that can match nothing, a group or a choice."""
    def walk(parsed):
        for code, value in parsed:
            if code in REPEATS and value[2].getwidth()[0] == 0:
                return True
            for part in value if isinstance(value, (tuple, list)) else [value]:
                for piece in part if isinstance(part, list) else [part]:
                    if isinstance(piece, parser.SubPattern) and walk(piece):
                        return True
        return False
    return walk(parser.parse(pattern))


class Cat:
    """A running regex_cat."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, pattern, texts, replacement):
        request = {"pattern": pattern, "texts": texts, "replacement": replacement}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"regex_cat died on {request!r}")
        return json.loads(line)


def is_error(outcome):
    return isinstance(outcome, dict) and "error" in outcome


def differences(theirs, ours, texts):
    """(text, operation, theirs, ours) of each difference; the texts of errors may differ."""
    if is_error(theirs) or is_error(ours):
        if is_error(theirs) != is_error(ours):
            yield None, "compile", theirs.get("error"), ours.get("error")
        return
    if theirs["groups"] != ours["groups"]:
        yield None, "groups", theirs["groups"], ours["groups"]
    for text, left, right in zip(texts, theirs["outcomes"], ours["outcomes"]):
        for operation, value in left.items():
            if is_error(value) and is_error(right[operation]):
                continue
            if value != right[operation]:
                yield text, operation, value, right[operation]
