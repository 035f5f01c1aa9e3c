"""Exchanges with a server that were recorded once, played back on 127.0.0.1: equal requests get the recorded
answers, in the order in which they came; a request that was not recorded gets 404 and says so.

    server = RecordedServer("exchanges.json")
    ... server.url ...
    server.close()

Alone: recorded_server.py --record UPSTREAM FILE prints its address, passes every request on to UPSTREAM
(http://HOST:PORT) and writes the exchanges to FILE when it is stopped (SIGINT).

The file is a list of {"request": {"method", "path", "body"}, "response": {"status", "headers", "body"}}; bodies
that are JSON are kept as such."""

import argparse
import json
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEPT = ("Content-Type", "Server")  # headers; a recording never holds a key


def as_value(body):
    text = body.decode()
    try:
        return json.loads(text)
    except ValueError:
        return text


def as_bytes(value):
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def key_of(method, path, body):
    return json.dumps([method, path, body], sort_keys=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    sys_version = ""
    server_version = "recorded"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.exchange("GET")

    def do_POST(self):
        self.exchange("POST")

    def exchange(self, method):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        response = self.server.owner.answer(method, self.path, as_value(body))
        data = as_bytes(response["body"])
        self.send_response_only(response["status"])
        for name, value in response["headers"].items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # clients that went away


class Serving:
    def __init__(self, port=0):
        self.lock = threading.Lock()
        self.http = Server(("127.0.0.1", port), Handler)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class RecordedServer(Serving):
    def __init__(self, file, port=0):
        self.answers, self.unknown = {}, []
        for exchange in json.loads(open(file).read()):
            request = exchange["request"]
            key = key_of(request["method"], request["path"], request["body"])
            self.answers.setdefault(key, []).append(exchange["response"])
        super().__init__(port)

    def answer(self, method, path, body):
        with self.lock:
            recorded = self.answers.get(key_of(method, path, body))
            if recorded:  # the last one stands for all later ones
                return recorded.pop(0) if len(recorded) > 1 else recorded[0]
            self.unknown.append((method, path, body))
        words = f"not recorded: {method} {path}"
        return {"status": 404, "headers": {}, "body": {"error": {"message": words}}}


class Recorder(Serving):
    def __init__(self, upstream, port=0):
        self.upstream, self.exchanges = upstream, []
        super().__init__(port)

    def answer(self, method, path, body):
        data = None if method == "GET" else as_bytes(body)
        request = urllib.request.Request(self.upstream + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as reply:
                found, status, text = reply.headers, reply.status, reply.read()
        except urllib.error.HTTPError as error:
            found, status, text = error.headers, error.code, error.read()
        headers = {name: found[name] for name in KEPT if name in found}
        response = {"status": status, "headers": headers, "body": as_value(text)}
        with self.lock:
            self.exchanges.append({"request": {"method": method, "path": path, "body": body},
                                   "response": response})
        return response

    def write(self, file):
        with open(file, "w") as out:
            json.dump(self.exchanges, out, ensure_ascii=False, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", nargs=2, metavar=("UPSTREAM", "FILE"), required=True)
    options = parser.parse_args()
    recorder = Recorder(options.record[0])
    print(recorder.url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        recorder.write(options.record[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
