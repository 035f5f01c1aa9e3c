"""A real server in a process of its own, as long as a test needs it."""

import contextlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(words, port, pause, **process_options):
    """The URL of the server that the command starts on that port, once it answers; looked at every `pause`
    seconds, 600 times."""
    process = subprocess.Popen(words, **process_options)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                urllib.request.urlopen(url + "/health")
                break
            if process.poll() is not None:
                sys.exit(f"{words}: ended with {process.returncode}")
            time.sleep(pause)
        yield url
    finally:
        process.terminate()
        process.wait(60)
