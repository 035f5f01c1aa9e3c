"""jinja2 set up as lm-eval and as transformers do it, and the driver of tare's jinja_cat."""

import datetime
import json
import re
import subprocess
import warnings

import jinja2
import jinja2.ext
import jinja2.sandbox

warnings.filterwarnings("ignore", category=SyntaxWarning)
CLOCK = datetime.datetime(2024, 7, 26, 9, 8, 7)


def regex_replace(string, pattern, repl, count=0):
    return re.sub(pattern, repl, string, count=count)


def task_environment(options):
    """lm-eval's environment, with the deviations that a case asks for."""
    environment = jinja2.Environment(
        loader=jinja2.BaseLoader(),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=not options.get("strip_trailing_newline", False),
        trim_blocks=options.get("trim_blocks", False),
        lstrip_blocks=options.get("lstrip_blocks", False),
    )
    environment.filters["regex_replace"] = regex_replace
    return environment


class Generation(jinja2.ext.Extension):
    """The tag that transformers uses to find the assistant's part: a body that prints itself."""

    tags = {"generation"}

    def parse(self, parser):
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(lineno)

    @staticmethod
    def _body(caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def chat_tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def chat_environment(options):
    """transformers' environment for chat templates."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = chat_tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = CLOCK.strftime
    return environment


def error_class(error):
    """The name under which tare knows a class of errors."""
    if isinstance(error, (jinja2.TemplateSyntaxError, SyntaxError)):
        return "TemplateSyntaxError"
    if isinstance(error, (jinja2.UndefinedError, jinja2.exceptions.SecurityError, RecursionError)):
        return type(error).__name__
    if isinstance(error, re.error):
        return "ValueError"
    if isinstance(error, jinja2.TemplateError) or type(error) is RuntimeError:
        return "TemplateRuntimeError"
    return type(error).__name__


def reference(template, variables, options=None):
    """What jinja2 makes of a template: {output} or {error, message}."""
    options = options or {}
    make = chat_environment if options.get("chat") else task_environment
    compiled = None
    try:
        compiled = make(options).from_string(template)
        return {"output": compiled.render(**variables)}
    except Exception as error:  # every class is an outcome
        return {
            "error": error_class(error),
            "message": str(error),
            "compiling": compiled is None,
        }


class Cat:
    """A running jinja_cat."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, template, variables, options=None):
        request = {"template": template, "variables": variables, "options": options or {}}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"jinja_cat died on {request!r}")
        return json.loads(line)


def differs(theirs, ours):
    """None when both agree; else 'output', 'outcome' or 'class'."""
    if "output" in theirs and "output" in ours:
        return None if theirs["output"] == ours["output"] else "output"
    if "output" in theirs or "output" in ours:
        return "outcome"
    if theirs["error"] == "UndefinedError" == ours["error"]:
        return None if theirs["message"] == ours["message"] else "message"
    return None if theirs["error"] == ours["error"] else "class"


def close(counts):
    """Prints what was counted and the closing line; gives the exit code."""
    print(dict(counts))
    different = sum(n for kind, n in counts.items() if kind.startswith("differences"))
    print(f"{counts['rendered'] + counts['raised'] - different} passed, {different} failed")
    return 1 if different else 0
