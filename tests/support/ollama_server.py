"""A stand-in for Ollama: the part of its documented API (docs/api.md of ollama/ollama) that tare asks, on 127.0.0.1,
with the habits that change what a model reads: a context of its own where a request names none, prompts that are cut
without a word, a template around conversations, counts that are missing for prompts that were in the cache.

    server = OllamaServer({"toy:1b": Model()})
    ... server.url, server.asked (path and body of each request) ...
    server.close()

Its model adds up: after a prompt that ends in "2+3=" it says "5", and then a line of its own."""

import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = re.compile(r"\w{1,4}|\s+|[^\w\s]")
BUILT_IN = {"num_ctx": 4096, "num_keep": 4, "num_predict": -1, "stop": []}
DIGEST = "fe938a131f40e6f6d40083c9f0f430a515233eb2edaa6d72eb85c50d64f2300e"
WEIGHTS = "200765e1283640ffbd013184bf496e261032fa75b99498a9613be4e94d63ad52"


@dataclass
class Model:
    template: str = "{{ if .System }}<|system|>{{ .System }}<|end|>{{ end }}<|user|>{{ .Prompt }}<|end|><|assistant|>"
    system: str = ""
    parameters: dict = field(default_factory=dict)
    context_length: int = 8192


@dataclass
class Habits:
    refuses: bool = True  # knows truncate and shift; older servers cut whatever these say
    reasons: bool = True  # gives done_reason
    caches: bool = False  # keeps silent about the length of a prompt that it has seen
    adds: int = 0  # tokens more in each count


def written(model, messages):
    """A conversation through the template, of which only what tests need is understood."""
    said = {m["role"]: m["content"] for m in messages}
    said.setdefault("system", model.system)
    text = model.template
    shown = r"\1" if said["system"] else ""
    text = re.sub(r"{{ if \.System }}(.*?){{ end }}", shown, text)
    return text.replace("{{ .System }}", said["system"]).replace("{{ .Prompt }}", said["user"])


def answer_to(prompt):
    sums = re.findall(r"(\d+)\+(\d+)=", prompt)
    return f"{int(sums[-1][0]) + int(sums[-1][1])}\nThat was easy." if sums else "I cannot add that up."


class OllamaServer:
    def __init__(self, models, habits=None):
        self.models, self.habits = models, habits or Habits()
        self.asked, self.seen = [], set()
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                outer.note(self.path, None)
                self.reply(*outer.get(self.path))

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.note(self.path, body)
                self.reply(*outer.post(self.path, body))

            def log_message(self, *_):
                pass

        self.httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.httpd.server_port}"
        threading.Thread(target=self.httpd.serve_forever, daemon=True).start()

    def close(self):
        self.httpd.shutdown()
        self.httpd.server_close()

    def note(self, path, body):
        with self.lock:
            self.asked.append((path, body))

    def get(self, path):
        if path == "/api/version":
            return 200, {"version": "0.12.6"}
        if path == "/api/tags":
            return 200, {"models": [{"name": name, "model": name, "digest": DIGEST} for name in self.models]}
        return 404, {"error": "not found"}

    def post(self, path, body):
        name = body.get("model", "")
        model = self.models.get(name)
        if model is None:
            return 404, {"error": f"model '{name}' not found"}
        if path == "/api/show":
            return 200, self.show(model)
        if path == "/api/generate":
            prompt = body["prompt"] if body.get("raw") else written(model, [{"role": "user", "content": body["prompt"]}])
            return self.generate(model, body, prompt, lambda text: {"response": text})
        if path == "/api/chat":
            return self.generate(model, body, written(model, body["messages"]),
                                 lambda text: {"message": {"role": "assistant", "content": text}})
        return 404, {"error": "not found"}

    @staticmethod
    def show(model):
        lines = [f"{name:31}{json.dumps(value)}" for name, value in model.parameters.items()]
        return {"modelfile": f"# Modelfile\nFROM /models/blobs/sha256-{WEIGHTS}\n", "template": model.template,
                "system": model.system, "parameters": "\n".join(lines),
                "details": {"format": "gguf", "family": "llama", "parameter_size": "1.2B", "quantization_level": "F16"},
                "model_info": {"general.architecture": "llama", "llama.context_length": model.context_length}}

    def generate(self, model, body, prompt, shape):
        options = BUILT_IN | model.parameters | body.get("options", {})
        room = min(options["num_ctx"], model.context_length)
        tokens = TOKEN.findall(prompt)
        if len(tokens) > room - 1:
            if self.habits.refuses and (body.get("truncate") is False or body.get("shift") is False):
                return 400, {"error": "the prompt is longer than the context length currently available to the model"}
            keep = options["num_keep"]
            tokens = tokens[:keep] + tokens[len(tokens) - (room - keep - (room - keep) // 2):]
        text, reason, made = self.write(answer_to("".join(tokens)), options, room - len(tokens))
        value = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z", "done": True, "total_duration": 1,
                 "eval_count": made} | shape(text)
        with self.lock:
            known = prompt in self.seen
            self.seen.add(prompt)
        if not (self.habits.caches and known):
            value["prompt_eval_count"] = len(tokens) + self.habits.adds
        if self.habits.reasons:
            value["done_reason"] = reason
        return 200, value

    @staticmethod
    def write(text, options, room):
        limit = room if options["num_predict"] < 0 else min(room, options["num_predict"])
        tokens = TOKEN.findall(text)
        made = "".join(tokens[:limit])
        ends = [made.find(stop) for stop in options["stop"] if stop in made]
        if ends:
            return made[:min(ends)], "stop", len(TOKEN.findall(made[:min(ends)])) + 1
        return made, "length" if len(tokens) > limit else "stop", min(len(tokens) + 1, limit)
