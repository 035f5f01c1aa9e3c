"""The worker's conversation: one request a line, one answer a line, until "bye" or the end of the channel."""

import json
import os

from tare_model import describe, engines

PROTOCOL = 1


def _send(channel, message):
    data = memoryview(json.dumps(message).encode() + b"\n")
    while data:
        data = data[channel.write(data) :]


def _open(settings):
    # The model is on this machine or nowhere; a library is to say so instead of asking a server.
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    engine = engines.open_engine(settings)
    return engine, {"protocol": PROTOCOL, "versions": describe.versions(), **engine.describe()}


def _texts(texts):
    """Without the halves of characters that no UTF-8 can hold."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def _generated(result):
    return {**result, "text": _texts([result["text"]])[0]} if "text" in result else result


def _answer(engine, request):
    operation = request["op"]
    if operation == "tokenize":
        return {"tokens": engine.tokenize(request["texts"], request["specials"])}
    if operation == "detokenize":
        return {"texts": _texts(engine.detokenize(request["tokens"], request["specials"]))}
    if operation == "score":
        return {"results": engine.score(request["items"])}
    if operation == "generate":
        results = engine.generate(request["items"], request["settings"], request["until"])
        return {"results": [_generated(result) for result in results]}
    raise ValueError(f"no such request: {operation}")


def serve(reader, channel, start):
    try:
        if start["protocol"] != PROTOCOL:
            raise ValueError(f"protocol {start['protocol']} is wanted, this worker speaks {PROTOCOL}")
        engine, hello = _open(start["settings"])
    except (Exception, SystemExit) as error:
        _send(channel, {"id": start["id"], "error": describe.one_line(error)})
        return
    _send(channel, {"id": start["id"], **hello})
    while line := reader.readline():
        request = json.loads(line)
        if request["op"] == "bye":
            _send(channel, {"id": request["id"]})
            return
        try:
            answer = _answer(engine, request)
        except (Exception, SystemExit) as error:
            answer = {"error": describe.one_line(error)}
        _send(channel, {"id": request["id"], **answer})
