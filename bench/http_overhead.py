"""How much time the openai: backend itself takes: requests a second to a server that computes nothing, in
turns with wrk (Debian's package) on the same server with the same body, and memory over many requests.

    http_overhead.py BUILD_FOLDER [--requests 100000] [--concurrency 64] [--pairs 5]

The folder is one in which the targets null_server and http_client are built. The ratio is tare's rate by wrk's,
the median over pairs."""

import argparse
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BODY = '{"model": "null", "prompt": "The sky over the sea is", "temperature": 0.0, "max_tokens": 1}'
SCRIPT = f"""wrk.method = "POST"
wrk.path = "/v1/completions"
wrk.body = '{BODY}'
wrk.headers["Content-Type"] = "application/json"
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tare(folder, port, requests, concurrency):
    done = subprocess.run([folder / "bench" / "http_client", f"http://127.0.0.1:{port}/v1", str(requests),
                           str(concurrency)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1]["good"] == requests, lines[-1]
    return lines


def wrk(port, seconds, concurrency):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT)
        script.flush()
        done = subprocess.run(["wrk", "-t1", f"-c{concurrency}", f"-d{seconds}s", "-s", script.name,
                               f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    port = free_port()
    server = subprocess.Popen([options.folder / "bench" / "null_server", str(port)])
    try:
        time.sleep(0.3)
        rates, ratios, memory = [], [], []
        peer = shutil.which("wrk")
        for _ in range(options.pairs):
            lines = tare(options.folder, port, options.requests, options.concurrency)
            rates.append(lines[-1]["requests"] / lines[-1]["seconds"])
            memory.append([line["resident"] for line in lines])
            if peer:
                ratios.append(rates[-1] / wrk(port, 5, options.concurrency))
        print(f"tare: {statistics.median(rates):.0f} requests/s (least {min(rates):.0f}), "
              f"{options.concurrency} under way")
        print("wrk is not installed (Debian: wrk)" if not peer else
              f"ratio to wrk: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
        growth = max(run[-1] - run[0] for run in memory)
        print(f"resident memory after a tenth: {memory[0][0] / 1e6:.1f} MB; growth to the end: {growth / 1e6:.2f} MB")
    finally:
        server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
