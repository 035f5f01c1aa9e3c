"""A server for tests that speaks OpenAI's completions on 127.0.0.1. Its model is a hash: the same text has
the same tokens, log-probabilities and continuation in every process. It can be told to fail.

    server = ModelServer()                       # or ModelServer(port)
    server.faults.append(Fault("item 7", "reset", times=2))    # requests whose prompt holds the words
    ... server.url ... server.asked ...
    server.close()

Alone: model_server.py PORT [SECONDS] serves until it is killed; each answer takes that long."""

import hashlib
import json
import re
import socket
import struct
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS = ["blue", "seven", "north", "maybe", "Paris", "42", "never", "é"]


@dataclass
class Fault:
    """What a request gets instead of a good answer."""

    words: str  # in its prompt
    kind: str  # a function bad_KIND, or spoil_KIND which changes a good answer
    times: int = 1 << 30  # requests that get it
    status: int = 0
    headers: dict = field(default_factory=dict)
    seconds: float = 0


def share(text):
    """A number in [0, 1) that belongs to the text."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) / 16**12


def tokens_of(text):
    return re.findall(r"\s*\S+|\s+$", text)


def log_probability(before, token):
    return -0.1 - 3 * round(share(before + "|" + token), 6)


def continuation_of(prompt):
    count = 1 + int(share(prompt + "#") * 5)
    return "".join(" " + WORDS[int(share(f"{prompt}{i}") * len(WORDS))] for i in range(count))


def echo_choice(prompt):
    tokens, told, offsets, top = tokens_of(prompt), [], [], []
    before = ""
    for token in tokens:
        number = log_probability(before, token) if before else None
        told.append(number)
        best = share(before + token + "!") < 0.5
        top.append(None if number is None else {token: number} if best else {token: number, " the": number / 2})
        offsets.append(len(before))
        before += token
    lists = {"tokens": tokens, "token_logprobs": told, "top_logprobs": top, "text_offset": offsets}
    return {"index": 0, "text": prompt, "logprobs": lists, "finish_reason": "length"}


def answer_to(request):
    prompt, echo = request["prompt"], request.get("echo", False)
    choice = echo_choice(prompt) if echo else {
        "index": 0, "text": continuation_of(prompt), "logprobs": None, "finish_reason": "stop"}
    usage = {"prompt_tokens": len(tokens_of(prompt)), "completion_tokens": 0 if echo else 1}
    return {"id": "cmpl", "object": "text_completion", "model": "hash-1", "choices": [choice], "usage": usage}


def lists_of(answer):
    return answer["choices"][0]["logprobs"]


def spoil_no_logprobs(answer):
    answer["choices"][0]["logprobs"] = None


def spoil_null_logprobs(answer):
    lists_of(answer)["token_logprobs"] = [None] * len(lists_of(answer)["tokens"])


def spoil_zero_logprobs(answer):
    numbers = lists_of(answer)["token_logprobs"]
    lists_of(answer)["token_logprobs"] = [None] + [0.0] * (len(numbers) - 1)
    lists_of(answer)["top_logprobs"] = [None] + [{"x": 0.0}] * (len(numbers) - 1)


def spoil_positive(answer):
    lists_of(answer)["token_logprobs"][-1] = 1.5


def spoil_nan(answer):
    lists_of(answer)["token_logprobs"][-1] = float("nan")


def spoil_one_less(answer):
    lists_of(answer)["token_logprobs"].pop()


def spoil_two_choices(answer):
    answer["choices"] *= 2


def spoil_no_choice(answer):
    answer["choices"] = []


def spoil_finish(answer):
    answer["choices"][0]["finish_reason"] = "tired"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def reply(self, status, body, headers=(), kind="application/json"):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def no_such_path(self):
        self.reply(404, b'{"error": "no such path"}')

    def do_GET(self):
        if self.server.owner.locked:
            return self.bad_status(Fault("", "status", status=401), b"")
        if self.path != "/v1/models":
            return self.no_such_path()
        self.reply(200, b'{"object": "list", "data": [{"id": "hash-1", "object": "model"}]}')

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        request = json.loads(self.rfile.read(length))
        if self.path != "/v1/completions":
            return self.no_such_path()
        server = self.server.owner
        server.note(request, self.headers.get("Authorization", ""))
        time.sleep(server.seconds)
        fault = server.fault_for(request["prompt"])
        answer = answer_to(request)
        if fault is None:
            return self.reply(200, json.dumps(answer).encode())
        bad = getattr(self, "bad_" + fault.kind, None)
        if bad is not None:
            return bad(fault, json.dumps(answer).encode())
        if lists_of(answer) is not None or fault.kind in ("two_choices", "no_choice", "finish"):
            globals()["spoil_" + fault.kind](answer)
        self.reply(200, json.dumps(answer).encode())

    def bad_status(self, fault, _):
        words = json.dumps({"error": {"message": "no, " + self.headers.get("Authorization", "")}})
        self.reply(fault.status, words.encode(), fault.headers)

    def bad_slow(self, fault, body):
        time.sleep(fault.seconds)
        try:
            self.reply(200, body)
        except OSError:
            self.close_connection = True

    def bad_reset(self, _, body):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:20])
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def bad_half(self, _, body):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body[: len(body) // 2])
        self.close_connection = True

    def bad_half_without_length(self, _, body):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body[: len(body) // 2])
        self.close_connection = True

    def bad_wrong_json(self, _, body):
        self.reply(200, body.replace(b'"choices":', b'"choices";'))

    def bad_page(self, _, body):
        self.reply(200, b"<html><body>Bad Gateway</body></html>", kind="text/html")

    def bad_empty(self, _, body):
        self.reply(200, b"")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # clients that went away


class ModelServer:
    def __init__(self, port=0, seconds=0.0):
        self.faults, self.seconds = [], seconds
        self.locked = False  # no key will do
        self.asked, self.keys = [], set()
        self.lock = threading.Lock()
        self.http = Server(("127.0.0.1", port), Handler)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def note(self, request, key):
        with self.lock:
            self.asked.append(request["prompt"])
            self.keys.add(key)

    def fault_for(self, prompt):
        with self.lock:
            for fault in self.faults:
                if fault.words in prompt and fault.times > 0:
                    fault.times -= 1
                    return fault
        return None

    def close(self):
        self.http.shutdown()
        self.http.server_close()


if __name__ == "__main__":
    ModelServer(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)
    threading.Event().wait()
