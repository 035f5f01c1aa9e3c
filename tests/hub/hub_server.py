"""A hub for tests: the part of the Hugging Face hub's protocol that a download needs, on 127.0.0.1, over
folders ORG/NAME. It can be told to fail, and it records what was asked.

    server = HubServer(root)                 # root/ORG/NAME/...
    server.plan("README.md", Fault(status=500), Fault(cut=100))   # the first requests whose path ends so
    ... server.url ...
    server.close()

Alone: hub_server.py ROOT prints its address and serves until it is stopped."""

import hashlib
import json
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = 50  # files a page of a listing
LFS_SUFFIXES = {".parquet", ".gz", ".zst", ".gguf"}


@dataclass
class Fault:
    """What one request gets instead of a good answer."""

    status: int = 0  # an error status
    headers: dict = field(default_factory=dict)
    cut: int = -1  # close the connection after so many bytes of the body
    flip: bool = False  # the first byte is wrong
    redirect: str = ""  # Location: this, with the path behind it
    ignore_range: bool = False  # 200 with all of it
    delay: float = 0  # seconds before the answer
    stall: bool = False  # half of the body, then silence until the client is gone


def git_sha1(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Repository:
    """A folder as a repository with one commit; changes of its files give another one."""

    def __init__(self, folder, name):
        self.folder, self.name = folder.resolve(), name
        self.files = {
            path.relative_to(self.folder).as_posix(): path
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
        text = "".join(f"{path} {git_sha1(file.read_bytes())}\n" for path, file in self.files.items())
        self.commit = hashlib.sha1(text.encode()).hexdigest()

    def entry(self, path):
        data = self.files[path].read_bytes()
        found = {"type": "file", "path": path, "size": len(data), "oid": git_sha1(data)}
        if Path(path).suffix in LFS_SUFFIXES:
            sha256 = hashlib.sha256(data).hexdigest()
            pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {len(data)}\n"
            found["oid"] = git_sha1(pointer.encode())
            found["lfs"] = {"oid": sha256, "size": len(data), "pointerSize": len(pointer)}
        return found

    def tree(self, folder, recursive):
        """The entries in a folder ("": all of it): files and folders, as the hub lists them."""
        prefix = f"{folder}/" if folder else ""
        below = [path.removeprefix(prefix) for path in self.files if path.startswith(prefix)]
        folders = sorted({parent.as_posix() for path in below for parent in PurePosixPath(path).parents} - {"."})
        if not recursive:
            below, folders = ([path for path in paths if "/" not in path] for paths in (below, folders))
        listed = [{"type": "directory", "path": prefix + path, "oid": "0" * 40, "size": 0} for path in folders]
        return listed + [self.entry(prefix + path) for path in below]

    def etag(self, path):
        entry = self.entry(path)
        return entry["lfs"]["oid"] if "lfs" in entry else entry["oid"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each small body waits for an acknowledgement

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, body):
        hub = self.server.hub
        parts = urlsplit(self.path)
        path = unquote(parts.path)
        fault = hub.record(self, path)
        time.sleep(fault.delay)
        if fault.status:
            return self.reply(fault.status, b"", fault.headers, body)
        if fault.redirect:
            return self.reply(302, b"", {"Location": fault.redirect + self.path}, body)
        words = path.strip("/").split("/")
        if words[0] == "api":
            return self.answer_api(hub, words[1:], parse_qs(parts.query), body)
        if words[0] == "plain":
            return self.answer_plain(hub, "/".join(words[1:]), fault, body)
        return self.answer_file(hub, words, fault, body)

    def answer_api(self, hub, words, query, body):
        """datasets/ORG/NAME, .../revision/REV and .../tree/COMMIT[/FOLDER]"""
        place = next((i for i, word in enumerate(words) if word in ("revision", "tree")), None)
        if place is None:  # as huggingface_hub asks for "main"
            words, place = words + ["revision", "main"], len(words)
        if not (repository := hub.repository("/".join(words[1:place]))):
            return self.reply(401, b"", {"X-Error-Code": "RepoNotFound"}, body)
        if words[place] == "tree":
            revision, folder = words[place + 1], "/".join(words[place + 2 :])
        else:
            revision, folder = "/".join(words[place + 1 :]), ""
        if revision not in ("main", "v1/two", repository.commit):
            return self.reply(404, b"", {"X-Error-Code": "RevisionNotFound"}, body)
        if words[place] == "revision":
            info = {"id": repository.name, "sha": repository.commit, "gated": False}
            info["siblings"] = [{"rfilename": path} for path in repository.files]
            return self.reply(200, json.dumps(info).encode(), {}, body)
        entries = repository.tree(folder, query.get("recursive") == ["true"])
        if folder and not entries:
            return self.reply(404, b"", {"X-Error-Code": "EntryNotFound"}, body)
        first = int(query.get("cursor", ["0"])[0])
        headers = {}
        if first + PAGE < len(entries):
            url = f"{hub.url}{urlsplit(self.path).path}?recursive={query['recursive'][0]}&cursor={first + PAGE}"
            headers["Link"] = f'<{url}>; rel="next"'
        return self.reply(200, json.dumps(entries[first : first + PAGE]).encode(), headers, body)

    def answer_file(self, hub, words, fault, body):
        """[datasets/]ORG/NAME/resolve/COMMIT/PATH"""
        if words[0] == "datasets":
            words = words[1:]
        place = words.index("resolve") if "resolve" in words else 0
        repository = hub.repository("/".join(words[:place])) if place else None
        path = "/".join(words[place + 2 :])
        if not repository or path not in repository.files:
            return self.reply(404, b"", {"X-Error-Code": "EntryNotFound"}, body)
        etag = repository.etag(path)
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": repository.commit}
        if Path(path).suffix in LFS_SUFFIXES:
            headers["X-Linked-Etag"] = f'"{etag}"'
            headers["X-Linked-Size"] = str(repository.files[path].stat().st_size)
        return self.send(repository.files[path].read_bytes(), headers, fault, body)

    def answer_plain(self, hub, name, fault, body):
        file = hub.root / name
        if not file.is_file():
            return self.reply(404, b"", {}, body)
        data = file.read_bytes()
        etag = f'"{hashlib.md5(data).hexdigest()}"'
        if self.headers.get("If-None-Match") == etag:
            return self.reply(304, b"", {"ETag": etag}, body)
        return self.send(data, {"ETag": etag}, fault, body)

    def send(self, data, headers, fault, body):
        if fault.flip:
            data = bytes([data[0] ^ 1]) + data[1:]
        start, status = 0, 200
        if (wanted := self.headers.get("Range")) and not fault.ignore_range:
            start, status = int(wanted.removeprefix("bytes=").split("-")[0]), 206
            if start >= len(data):
                return self.reply(416, b"", {"Content-Range": f"bytes */{len(data)}"}, body)
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        self.reply(status, data[start:], headers, body, fault)

    def reply(self, status, data, headers, body, fault=Fault()):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if not body or status == 304:
            return
        if fault.cut >= 0:
            self.wfile.write(data[: fault.cut])
            self.close_connection = True
        elif fault.stall:
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.server.hub.closing.wait(30)
            self.close_connection = True
        else:
            self.wfile.write(data)


class HubServer:
    def __init__(self, root):
        self.root = Path(root)
        self.asked = []  # (path, headers) in order
        self.faults = []  # (end of a path, [Fault])
        self.token = ""  # wanted of every request, if any
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.hub = self
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    def plan(self, ending, *faults):
        """The next requests whose path ends so get these faults, one each."""
        self.faults.append((ending, list(faults)))

    def record(self, request, path):
        with self.lock:
            self.asked.append((path, dict(request.headers)))
            if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
                return Fault(status=401, headers={"X-Error-Code": "RepoNotFound"})
            for ending, faults in self.faults:
                if path.endswith(ending) and faults:
                    return faults.pop(0)
        return Fault()

    def repository(self, name):
        folder = self.root / name
        return Repository(folder, name) if name and folder.is_dir() else None

    def requests(self, ending):
        return [headers for path, headers in self.asked if path.endswith(ending)]


if __name__ == "__main__":
    hub = HubServer(sys.argv[1])
    print(hub.url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        hub.close()
