"""GGUF files as small as they come, for tests: keys, and float32 matrices of random numbers from a seed."""

import array
import random
import struct

MAGIC, VERSION, ALIGNMENT = b"GGUF", 3, 32
U32, F32, TEXT, LIST = 4, 6, 8, 9


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value_bytes(value):
    """With the type before it."""
    if isinstance(value, int):
        return struct.pack("<II", U32, value)
    if isinstance(value, float):
        return struct.pack("<If", F32, value)
    if isinstance(value, str):
        return struct.pack("<I", TEXT) + text(value)
    return struct.pack("<IIQ", LIST, TEXT, len(value)) + b"".join(map(text, value))


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def gguf(entries, tensors):
    """The bytes of a file. `tensors`: name to (sides, floats); the first side lies closest together."""
    head = MAGIC + struct.pack("<IQQ", VERSION, len(tensors), len(entries))
    for key, value in entries.items():
        head += text(key) + value_bytes(value)
    data = b""
    for name, (sides, floats) in tensors.items():
        head += text(name) + struct.pack(f"<I{len(sides)}QIQ", len(sides), *sides, 0, len(data))
        data += padded(array.array("f", floats).tobytes())
    return padded(head) + data


def llama(seed=1, width=256, rows=72, layers=2):
    """A model of llama's architecture, as bytes, and the sides of its matrices. It is for the quantizer, which looks at rows
    alone: the sides do not fit each other, and there are no words."""
    dice = random.Random(seed)

    def matrix():
        return (width, rows), [dice.gauss(0, 0.05) for _ in range(width * rows)]

    def norm():
        return (width,), [1 + dice.gauss(0, 0.01) for _ in range(width)]

    tensors = {"token_embd.weight": matrix(), "output_norm.weight": norm(), "output.weight": matrix()}
    for layer in range(layers):
        stem = f"blk.{layer}."
        tensors |= {stem + "attn_norm.weight": norm(), stem + "ffn_norm.weight": norm()}
        for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
            tensors[f"{stem}{name}.weight"] = matrix()
    entries = {"general.architecture": "llama", "llama.context_length": 64, "llama.embedding_length": width,
               "llama.block_count": layers, "llama.feed_forward_length": width, "llama.attention.head_count": 4,
               "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.vocab_size": rows}
    return gguf(entries, tensors), {name: sides for name, (sides, _) in tensors.items() if len(sides) == 2}
