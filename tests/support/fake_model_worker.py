#!/usr/bin/env python3
"""A model worker that computes nothing and may misbehave, for tests: started in place of an interpreter,
it speaks docs/formats/worker-protocol.md and reads what to do from fake.conf (JSON) in the model's folder.

fake.conf: {"at_start": WHAT, "when": {WORD: WHAT, ...}, "when_text": {...}, ...}. An item whose text holds WORD
is met with WHAT, likewise a text to tokenise; "once": true means only the first time, remembered in the folder.
Tokens are bytes; 256 stands before a text without context. Of n scored bytes the log-likelihood is -n/4,
greedy if n is even; a generated answer is the prompt's last five bytes, backwards."""

import json
import os
import pathlib
import signal
import sys
import time

channel = os.fdopen(os.dup(3), "r+b", buffering=0)
reader = os.fdopen(os.dup(3), "rb")
FLOOD = b"noise without end, and without a line break " * 1000


def flood(times):
    for _ in range(times):
        os.write(1, FLOOD)
        os.write(2, FLOOD)


def forever():
    while True:
        flood(1)


def send(message):
    data = memoryview(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
    while data:
        data = data[channel.write(data) :]


def end(code):
    print("the model is on fire", flush=True)
    os._exit(code)


def endless_answer():
    while True:
        send(FLOOD)


def close_and_stay():
    os.closerange(3, 64)
    time.sleep(3600)


def without_results(answer):
    return {**answer, **{key: [] for key in ("results", "tokens", "texts") if key in answer}}


# What stands in the way of an answer.
BEFORE = {
    "die": lambda: end(7),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda: time.sleep(3600),
    "flood": lambda: flood(200),
    "flood_and_hang": forever,
    "print": lambda: print('{"id": 1, "results": []}', flush=True),
    "close": close_and_stay,
    "endless": endless_answer,
}
# What becomes of an answer.
INSTEAD = {
    "garbage": lambda answer: b"{]\n",
    "half": lambda answer: json.dumps(answer).encode()[:-3] + b"\n",
    "wrong_id": lambda answer: {**answer, "id": answer["id"] + 1},
    "wrong_count": without_results,
    "list": lambda answer: [answer],
    "nan": lambda answer: {**answer, "results": [{"sum": float("nan"), "greedy": False}]},
    "no_sum": lambda answer: {**answer, "results": [{"greedy": False}]},
    "refuse": lambda answer: {"id": answer["id"], "error": "RuntimeError: no memory for this"},
    "refuse_item": lambda answer: {**answer, "results": [{"error": "ValueError: not this one"}]},
    "twice": lambda answer: (json.dumps(answer) + "\n" + json.dumps(answer) + "\n").encode(),
}


def text_of(tokens):
    return bytes(token for token in tokens if token < 256)


def score(item):
    count = len(item["tokens"]) - item["first_scored"]
    return {"sum": -count / 4, "greedy": count % 2 == 0}


def generate(item):
    tokens = list(reversed(text_of(item["tokens"])[-5:]))
    return {"tokens": tokens, "text": bytes(tokens).decode("utf-8", "replace"), "finish": "end"}


def answer_to(request):
    if request["op"] == "tokenize":
        return {"tokens": [list(text.encode()) for text in request["texts"]]}
    if request["op"] == "detokenize":
        return {"texts": [text_of(tokens).decode("utf-8", "replace") for tokens in request["tokens"]]}
    if request["op"] == "score":
        return {"results": [score(item) for item in request["items"]]}
    if request["op"] == "generate":
        return {"results": [generate(item) for item in request["items"]]}
    return {}


def hello(config):
    answer = {
        "id": 0,
        "protocol": 1,
        "versions": {"python": "3.0", "transformers": "0.0", "torch": "0.0"},
        "settings": {"dtype": "float32"},
        "generation": {"max_length": 20},
        "prefix": 256,
        "prefix_text": "",
        "end_text": "",
        "chat_template": None,
        "context_length": 0,
        "capabilities": {"score": True, "generate": True},
    }
    return {**answer, **config.get("hello", {})}


class Behaviour:
    def __init__(self, folder, config):
        self.seen = folder / "seen"
        self.once = config.get("once", False)
        self.when, self.when_text = config.get("when", {}), config.get("when_text", {})

    def found(self, request):
        items = b" ".join(text_of(item["tokens"]) for item in request.get("items", [])).decode("utf-8", "replace")
        texts = " ".join(request.get("texts", []))
        met = [what for word, what in self.when.items() if word in items]
        return next(iter(met + [what for word, what in self.when_text.items() if word in texts]), "")

    def of(self, request):
        found = self.found(request)
        if found and self.once:
            if self.seen.exists():
                return ""
            self.seen.touch()
        return found


def main():
    start = json.loads(reader.readline())
    folder = pathlib.Path(start["settings"]["path"])
    config = json.loads((folder / "fake.conf").read_text())
    with (folder / "starts").open("a") as log:
        log.write(f"{os.getpid()}\n")
    if at_start := config.get("at_start"):
        BEFORE.get(at_start, lambda: None)()
    send(INSTEAD.get(config.get("at_start"), lambda answer: answer)(hello(config)))
    behaviour = Behaviour(folder, config)
    for line in reader:
        request = json.loads(line)
        with (folder / "requests").open("a") as log:
            log.write(request["op"] + "\n")
        what = behaviour.of(request)
        BEFORE.get(what, lambda: None)()
        send(INSTEAD.get(what, lambda answer: answer)({"id": request["id"], **answer_to(request)}))
        if request["op"] == "bye":
            sys.exit(0)


main()
