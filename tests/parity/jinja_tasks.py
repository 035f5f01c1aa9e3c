"""Renders the templates of lm-eval's task files through jinja2 and through tare.

    jinja_tasks.py JINJA_CAT [TASKS_DIR]     (default: $LM_EVAL_TASKS)

Every distinct string of the doc_to_* fields, description and gen_prefix is rendered with documents
made up for it: the names it uses, with values of plausible and of implausible types. Prints each
difference and their number.
"""

import collections
import os
import pathlib
import random
import sys

import jinja2.meta
import jinja2.nodes
import yaml

from jinja_reference import Cat, close, differs, reference, task_environment

FIELDS = ("doc_to_text", "doc_to_target", "doc_to_choice", "description", "gen_prefix")
ROUNDS = 12


class Loader(yaml.CSafeLoader):
    pass


Loader.add_constructor("!function", lambda loader, node: None)


def strings_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_of(item)


def templates(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if not path.is_file() or path.suffix not in (".yaml", ".yml", ""):
            continue
        try:
            config = yaml.load(path.read_text(encoding="utf-8"), Loader)
        except Exception:  # eight shipped files are no YAML by themselves
            continue
        if not isinstance(config, dict):
            continue
        for part in (config, config.get("fewshot_config") or {}):
            if isinstance(part, dict):
                for field in FIELDS:
                    for text in strings_of(part.get(field)):
                        found.setdefault(text, path)
    return found


def uses(template):
    """Names and the attributes read from them: {"choices": {"text", "label"}}."""
    names = collections.defaultdict(set)
    tree = task_environment({}).parse(template)
    for name in jinja2.meta.find_undeclared_variables(tree):
        names[name]
    for node in tree.find_all(jinja2.nodes.Getattr):
        if isinstance(node.node, jinja2.nodes.Name):
            names[node.node.name].add(node.attr)
    for node in tree.find_all(jinja2.nodes.Getitem):
        if isinstance(node.node, jinja2.nodes.Name) and isinstance(node.arg, jinja2.nodes.Const):
            if isinstance(node.arg.value, str):
                names[node.node.name].add(node.arg.value)
    return names


WORDS = ["the", "Ünï", "It's", 'a "b"', "日本", "42", " x ", "\n", "A", "B", "yes", "no", "_", "<b>"]
METHODS = {"strip", "lstrip", "rstrip", "split", "replace", "capitalize", "lower", "upper", "join",
           "index", "items", "keys", "values", "get", "title", "format", "startswith"}


def text(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 5)))


def scalar(rng):
    return rng.choice([text(rng), text(rng), "A", rng.randint(-3, 9), rng.random() * 9, True, None,
                       str(rng.randint(0, 5))])


def anything(rng, depth=2):
    kind = rng.randint(0, 5)
    if depth == 0 or kind < 3:
        return scalar(rng)
    if kind == 3:
        return [anything(rng, depth - 1) for _ in range(rng.randint(0, 5))]
    if kind == 4:
        return [text(rng) for _ in range(rng.randint(1, 6))]
    return {rng.choice(["text", "label", "a", "items"]): anything(rng, depth - 1)
            for _ in range(rng.randint(0, 3))}


def value(rng, attributes, round_number):
    """The first rounds are well-behaved: what the template reads is there, of a likely type."""
    attributes = attributes - METHODS
    if round_number % 3 == 2:
        return anything(rng)
    if attributes:
        return {a: rng.choice([[text(rng) for _ in range(5)], text(rng), rng.randint(0, 3)])
                for a in sorted(attributes)}
    return rng.choice([text(rng), text(rng), [text(rng) for _ in range(5)], rng.randint(0, 4),
                       str(rng.randint(0, 4)), rng.choice("ABCD")])


def main():
    cat = Cat(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ["LM_EVAL_TASKS"]
    counts = collections.Counter()
    for template, path in templates(folder).items():
        counts["templates"] += 1
        names = uses(template)
        rng = random.Random(template)
        for round_number in range(ROUNDS):
            document = {n: value(rng, a, round_number) for n, a in sorted(names.items())}
            if round_number == ROUNDS - 1 and document:
                document.pop(sorted(document)[0])
            theirs, ours = reference(template, document), cat(template, document)
            counts["renderings"] += 1
            counts["rendered" if "output" in theirs else "raised"] += 1
            kind = differs(theirs, ours)
            if kind is None:
                continue
            counts["differences: " + kind] += 1
            print(f"{kind}: {path}\n  {template!r}\n  {document!r}\n  {theirs}\n  {ours}")
    return close(counts)


if __name__ == "__main__":
    sys.exit(main())
