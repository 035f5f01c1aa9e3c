"""Reads where the tensors of a GGUF file lie, and alters float32 ones in a copy."""

import array
import struct

SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
STRING, LIST, F32 = 8, 9, 0


class Reader:
    def __init__(self, path):
        self.file = open(path, "rb")

    def unpack(self, form):
        return struct.unpack("<" + form, self.file.read(struct.calcsize("<" + form)))

    def text(self):
        (length,) = self.unpack("Q")
        return self.file.read(length).decode()

    def skip_value(self, kind):
        if kind == STRING:
            self.text()
        elif kind == LIST:
            inner, count = self.unpack("IQ")
            for _ in range(count):
                self.skip_value(inner)
        else:
            self.file.seek(SIZES[kind], 1)

    def value(self, kind):
        if kind == 4:
            return self.unpack("I")[0]
        self.skip_value(kind)
        return None


def tensors(path):
    """{name: (format, count of numbers, offset in the file)}"""
    reader = Reader(path)
    magic, _, count, pairs = reader.unpack("4sIQQ")
    assert magic == b"GGUF"
    alignment = 32
    for _ in range(pairs):
        key = reader.text()
        value = reader.value(reader.unpack("I")[0])
        alignment = value if key == "general.alignment" else alignment
    found = {}
    for _ in range(count):
        name = reader.text()
        (dimensions,) = reader.unpack("I")
        numbers = 1
        for size in reader.unpack(f"{dimensions}Q"):
            numbers *= size
        form, offset = reader.unpack("IQ")
        found[name] = (form, numbers, offset)
    begin = (reader.file.tell() + alignment - 1) // alignment * alignment
    return {name: (form, numbers, begin + offset) for name, (form, numbers, offset) in found.items()}


def scale_tensor(path, name, factor):
    """Multiplies a float32 tensor in place."""
    form, numbers, offset = tensors(path)[name]
    assert form == F32, f"{name} is no float32 tensor"
    with open(path, "r+b") as file:
        file.seek(offset)
        values = array.array("f", file.read(4 * numbers))
        scaled = array.array("f", (value * factor for value in values))
        file.seek(offset)
        file.write(scaled.tobytes())
