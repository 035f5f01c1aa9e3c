"""Conversations under the chat templates that llama.cpp keeps for its own tests, as transformers renders them.

    chat_cases.py                   rewrites tests/cases/text/chat.json and chat_templates.json (needs transformers)
    chat_cases.py --compare BINARY [N]  renders the same, and N random conversations a template (default 20), with the
                                    project's chat_cat and with transformers, prints differences

The templates are read from TARE_CHAT_TEMPLATES, else from the llama.cpp sources in the cache; none of their text is
written. An entry of chat_templates.json is the first 16 hex digits of the SHA-256 of the rendered text; "s" before them: rendered without its
system messages, by lm-eval's own rule; "error": not rendered. chat.json holds small templates of the project's own
with whole texts.
"""

import datetime
import glob
import hashlib
import importlib.metadata
import json
import os
import pathlib
import random
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "cases" / "text"

TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
SYSTEM = ["system", "You are terse."]
SHOTS = [["user", "Question: 1+1?\nAnswer:"], ["assistant", "2"], ["user", "Question: 2+3?\nAnswer:"], ["assistant", "5"]]
ASK = ["user", "Question: 4+4?\nAnswer:"]


def conversation(*messages, opened=None, **variables):
    messages = [list(m) for m in messages]
    if opened is not None:
        messages.append(["assistant", opened])
    return {"messages": messages, "continue": opened is not None, "variables": {**TOKENS, **variables}}


CONVERSATIONS = [
    conversation(ASK),
    conversation(SYSTEM, ASK),
    conversation(["system", ""], ASK),
    conversation(["system", "  spaced \n"], ["user", "\n both ends \n\n"]),
    conversation(*SHOTS, ASK),
    conversation(SYSTEM, *SHOTS, ASK),
    conversation(["system", "Zwölf Boxkämpfer. 日本語 🙂"], ["user", "Ünï\u00a0\u2003日本 ß ½ \U0001f600?"], ["assistant", "«é»"], ["user", "…\u2028x"]),
    conversation(["user", "a <b> & 'c' \"d\" \\n {{ x }} {% if %} <|im_end|> </s> [INST]"]),
    conversation(["user", ""]),
    conversation(["user", "no answer here"], ["user", "and a second one"]),
    conversation(["user", "think"], ["assistant", "<think>\nwell\n</think>\n\nso"], ["user", "again"]),
    conversation(["user", "a"], ["assistant", " padded answer \n"], ["user", "b"]),
    conversation(["user", "a"], ["assistant", ""], ["user", "b"]),
    conversation(ASK, opened="The best answer is"),
    conversation(ASK, opened="The best answer is "),
    conversation(ASK, opened="Answer:\n\n"),
    conversation(ASK, opened="  led by space"),
    conversation(ASK, opened=" "),
    conversation(SYSTEM, *SHOTS, ASK, opened="Réponse :"),
    conversation(SYSTEM, *SHOTS, ASK, opened="```python\n"),
    conversation(["user", "x"], opened="<think>\n\n</think>\n\nIt is"),
    conversation(["user", "CONTINUE_FINAL_MESSAGE_TAG "], opened="CONTINUE_FINAL_MESSAGE_TAG here"),
]
for flags in ({"enable_thinking": True}, {"enable_thinking": False}, {"reasoning_effort": "low"}, {"thinking": True},
              {"keep_past_thinking": True, "custom": [1, "x", None]}):
    CONVERSATIONS += [
        conversation(SYSTEM, *SHOTS, ASK, **flags),
        conversation(["user", "think"], ["assistant", "<think>\nwell\n</think>\n\nso"], ["user", "again"], **flags),
        conversation(ASK, opened="So", **flags),
    ]
BARE = conversation(SYSTEM, ASK)
BARE["variables"] = {}
CONVERSATIONS.append(BARE)


LOOP = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>\n{% endfor %}"
HEAD = "{% if add_generation_prompt %}<assistant>{% endif %}"
OWN = {
    "plain": LOOP + HEAD,
    "trims": "{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n{% endfor %}" + HEAD,
    "no system": "{% if messages[0].role == 'system' %}{{ raise_exception('no system text') }}{% endif %}" + LOOP + HEAD,
    "undefined": "{{ messages[0].name.first if messages[0].role == 'system' }}" + LOOP,
    "type error": "{% if messages[0].role == 'system' %}{{ 1 + 'a' }}{% endif %}" + LOOP,
    "always raises": "{{ raise_exception('never ' ~ messages | length) }}{{ messages[0].content }}",
    "drops the answer": "{% for m in messages if m.role != 'assistant' %}{{ m.content }}{% endfor %}",
    "upper case": "{% for m in messages %}{{ m.content | upper }}{% endfor %}",
    "no content": "{% for m in messages %}{{ m.role }}{% endfor %}",
    "date and tokens": "{{ bos_token }}{{ strftime_now('%d %b %Y') }} {{ tools is none }} {{ documents is none }} {{ custom | default('-') }}" + LOOP,
    "blocks": "  {% if true %}\n  a\n  {% endif %}\n{% generation %}{{ messages[-1].content }}{% endgeneration %}\n\n",
    "tojson": "{{ messages | tojson }}{{ messages | tojson(indent=1) }}",
    "breaks": "{% for m in messages %}{% if loop.index == 3 %}{% break %}{% endif %}{{ m.content }}{% endfor %}",
}
FEW = [
    conversation(["system", "S"], ["user", "Q"]),
    conversation(["system", "S"], ["user", "Q <é>\u00a0"], opened="It is"),
    conversation(["user", "Q"], opened="It is \n"),
    conversation(["user", " Q"], ["assistant", "A "], ["user", "R "], opened="  "),
    conversation(["user", "Q"], custom="x"),
    conversation(["system", "S"], ["system", "T"], ["user", "Q"], opened="CONTINUE_FINAL_MESSAGE_TAG"),
]


def template_files():
    folder = os.environ.get("TARE_CHAT_TEMPLATES")
    if not folder:
        cache = os.environ.get("TARE_CACHE_DIR", os.path.expanduser("~/.cache/tare"))
        found = sorted(glob.glob(f"{cache}/*/thirdparty/llama.cpp/models/templates"))
        folder = found[-1] if found else ""
    return sorted(pathlib.Path(folder).glob("*.jinja")) if folder else []


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2024, 7, 26, 9, 8, 7)


def render(template, case, messages):
    from transformers.utils import chat_template_utils
    chat_template_utils.datetime = Clock
    rendered, _ = chat_template_utils.render_jinja_template(
        [messages], chat_template=template, add_generation_prompt=not case["continue"],
        continue_final_message=case["continue"], **case["variables"])
    return rendered[0]


def reference(template, case):
    """What lm-eval's Hugging Face model gets: one more try without system messages where the template raises."""
    import jinja2
    messages = [{"role": role, "content": content} for role, content in case["messages"]]
    without = [message for message in messages if message["role"] != "system"]
    try:
        try:
            return {"output": render(template, case, messages), "system_dropped": False}
        except jinja2.exceptions.TemplateError:
            if len(without) == len(messages):
                raise
            return {"output": render(template, case, without), "system_dropped": True}
    except Exception as fault:
        return {"error": f"{type(fault).__name__}: {fault}"}


def digest(outcome):
    if "error" in outcome:
        return "error"
    mark = "s" if outcome["system_dropped"] else ""
    return mark + hashlib.sha256(outcome["output"].encode()).hexdigest()[:16]


def write_file(name, lists):
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("transformers", "jinja2"))
    parts = [f'"source": "{versions}; made by tests/parity/chat_cases.py"']
    for key, items in lists.items():
        parts.append(f'"{key}": [\n' + ",\n".join(json.dumps(item, ensure_ascii=False) for item in items) + "\n]")
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")
    print(name + ":", ", ".join(f"{len(items)} {key}" for key, items in lists.items()))


def own_case(template, case):
    outcome = reference(template, case)
    return {"error": True} if "error" in outcome else outcome


def write():
    write_file("chat.json", {
        "conversations": FEW,
        "templates": [{"name": name, "template": template, "rendered": [own_case(template, case) for case in FEW]}
                      for name, template in OWN.items()]})
    write_file("chat_templates.json", {
        "conversations": CONVERSATIONS,
        "templates": [{"template": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                       "rendered": [digest(reference(path.read_text(encoding="utf-8"), case)) for case in CONVERSATIONS]}
                      for path in template_files()]})


PIECES = ["", " ", "\n", "\t", "\u00a0", "a", "Answer:", "é", "日本", "🙂", "<think>", "</think>", "<|im_end|>", "{{ x }}", "'", '"', "\\", "&<b>",
          "[INST]", "CONTINUE_FINAL_MESSAGE_TAG", "\u2028", "1.5", "\n\n", "  "]


def random_conversation(source):
    def text():
        return "".join(source.choices(PIECES, k=source.randint(0, 6)))
    messages = [["system", text()]] if source.random() < 0.5 else []
    for _ in range(source.randint(0, 3)):
        messages.append(["user", text()])
        if source.random() < 0.95:
            messages.append(["assistant", text()])
    flags = {name: source.choice(values) for name, values in
             {"enable_thinking": [True, False], "reasoning_effort": ["low", "high"], "thinking": [True, False]}.items()
             if source.random() < 0.3}
    return conversation(*messages, ["user", text()], opened=text() if source.random() < 0.5 else None, **flags)


def compare(binary, count):
    process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    counts = {"equal": 0, "both refuse": 0, "different": 0}
    for path in template_files():
        template = path.read_text(encoding="utf-8")
        refused = 0
        source = random.Random(path.name)
        cases = CONVERSATIONS + [random_conversation(source) for _ in range(count)]
        for number, case in enumerate(cases):
            wanted = reference(template, case)
            process.stdin.write(json.dumps({"template": template, **case}) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            kind = "different" if digest(wanted) != digest(found) else "both refuse" if "error" in wanted else "equal"
            counts[kind] += 1
            refused += kind == "both refuse"
            if kind == "different":
                print(f"{path.name}, conversation {number}:\n  wanted {wanted}\n  found  {found}")
            elif refused == 1 and kind == "both refuse":
                print(f"{path.name} refuses {number}: {wanted['error'][:120]!r}; here: {found['error'][:120]!r}")
        if refused:
            print(f"{path.name}: {refused} of {len(cases)} refused by both")
    process.stdin.close()
    process.wait()
    print(counts)
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    if not template_files():
        sys.exit("no templates: set TARE_CHAT_TEMPLATES to a folder of .jinja files")
    if sys.argv[1:2] == ["--compare"] and len(sys.argv) in (3, 4):
        sys.exit(compare(sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 20))
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    write()
