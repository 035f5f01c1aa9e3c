"""Writes the case files of this folder: what the `datasets` library makes of small files.

    python make_cases.py            (needs datasets 5.2, which brings pyarrow and pandas)

A case holds the files of a folder, the arguments of load_dataset, and what it returned: for each
split the columns and the rows, or "error" with the exception's first line. Datetimes are written as
{"$datetime": str(value)}.
"""

import datetime
import decimal
import io
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_CACHE"] = tempfile.mkdtemp()

import datasets
import pandas
import pyarrow
import pyarrow.parquet

datasets.disable_progress_bars()
datasets.utils.logging.set_verbosity(60)

HERE = Path(__file__).parent
SOURCE = (
    f"datasets {datasets.__version__}, pyarrow {pyarrow.__version__}, pandas {pandas.__version__}"
    " through make_cases.py"
)


def plain(value):
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None or getattr(value, "nanosecond", 0):
            return str(value)
        return {"$datetime": str(value)}
    if isinstance(value, (datetime.date, datetime.time, decimal.Decimal)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def outcome(folder, path, name, kwargs):
    os.chdir(folder)
    try:
        loaded = datasets.load_dataset(path, name, **kwargs)
    except Exception as error:
        cause = error.__cause__ or error
        text = f"{type(cause).__name__}: {cause}".replace(str(folder), ".")
        return {"error": text.splitlines()[0][:200]}
    return {
        "splits": {
            split: {"columns": rows.column_names, "rows": [plain(dict(row)) for row in rows]}
            for split, rows in loaded.items()
        }
    }


class Suite:
    def __init__(self):
        self.cases = []

    def add(self, title, files, path=".", name=None, **kwargs):
        case = {"name": title, "files": files, "path": path, "config": name, "kwargs": kwargs}
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "repo"
            for file, text in files.items():
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode())
            case.update(outcome(folder, str(folder) if path == "." else path, name, kwargs))
            os.chdir("/")
        self.cases.append(case)

    def write(self, file):
        text = json.dumps({"source": SOURCE, "cases": self.cases}, indent=1, ensure_ascii=False)
        (HERE / file).write_text(text + "\n")
        errors = sum("error" in case for case in self.cases)
        print(f"{file}: {len(self.cases)} cases, {errors} of them errors")


def lines(*rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n"


def column(*values):
    return lines(*({"a": value} for value in values))


TIMES = """2020-01-02 2020-01-02T03:04:05 2020-01-02_03:04:05 2020-01-02T03:04 2020-01-02_03
2020-01-02T03:04:05Z 2020-01-02T03Z 2020-01-02T03:04Z 2020-01-02T03:04:05+01:00 2020-01-02T03:04:05+0100
2020-01-02T03:04:05+01 2020-01-02T03:04:05-23:59 2020-01-02T03+01:00 2020-01-02_03:04:05-0130 0001-01-01
9999-12-31 1600-02-29 2020-01-02T03:04:05.123 2020-01-02T03:04:05.000 2020-01-02T03:04:05.123456789
20200102 2020-1-2 2020-01-02T 2020-01-02T03:04:05. 2020-13-01 2020-02-30 10000-01-01 -2020-01-02
2020-01-02T24:00:00 2020-01-02T23:59:60 _2020-01-02 2020-01-02_ 2020/01/02 03:04:05 2020-01 2020
2020-01-02T030405 2020-01-02t03:04:05 2020-01-02__03:04:05 2020-01-02Z 2020-01-02T03:04:05+1
2020-01-02T03:04:05+24:00 2020-01-02T03:04:05+23:60 2020-01-02T03:04:05_Z 2020-01-02T03:04:05z
2020-01-02+01:00 2020-01-02T03:04:05+01:0 2020-01-02T03:04:05+010 2020-01-02T3:04 2020-01-02T03:4""".split()

LOOSE = """12 x null _ 007 _5_ NaN 1.5 - true "q" [1,2] 1e5 1. .5 +5 nan Infinity -5 é {"b":2} {b:2} -007
-.5 1.5.5 0.1234567890123456 18446744073709551616 False 'a' 2020-01-01""".split()

REALS = [0.1, 1 / 3, 1e-12, 1e-11, 1.5e-10, 5e-11, 1e16, 1.5e16, 123456789012345678.0, 1e15 + 0.3,
         3.14159265358979, -0.0, 1e-16, 1e300, -2.5, 0.1 + 0.2, 1e-5, 0.30000000005, 0.99999999999,
         0.639292726, 2.8813e-6, 12345.678901234567]


def json_suite():
    suite = Suite()

    def rows(title, text, file="x.jsonl", **kwargs):
        suite.add(title, {file: text}, "json", data_files=file, **kwargs)

    for time in TIMES:
        rows(f"time {time}", column(time.replace("_", " ")))
    rows("times with and without zone", column("2020-01-01T00:00:00Z", "2020-01-01", None) + "{}\n")
    rows("a time and a word", column("2020-01-01", "x"))
    rows("times in lists", lines({"a": ["2020-01-01"], "b": ["2020-01-01"]}, {"a": ["x", None], "b": [None]}))
    rows("times in objects", lines({"a": {"t": "2020-01-01"}}, {"a": {"t": None}}, {"a": None}))
    rows("integers and reals", column(1, 2.5, None))
    rows("a whole real", '{"a":1.0}\n{"a":2}\n')
    rows("exponents and zeros", '{"a":1e2}\n{"a":0}\n{"a":-0.0}\n')
    rows("minus zero", '{"a":-0}\n')
    rows("beyond 64 bits", '{"a":9223372036854775808}\n{"a":1}\n')
    rows("64 bits", '{"a":9223372036854775807}\n{"a":-9223372036854775808}\n')
    rows("far beyond 64 bits", '{"a":123456789012345678901234567890}\n')
    rows("no numbers", '{"a":NaN}\n{"a":Infinity}\n{"a":-Infinity}\n{"a":1}\n')
    rows("reals", column(*REALS))
    rows("integer and string", column(1, "x"))
    rows("string and integer beside reals", lines(*({"a": "x", "f": real} for real in REALS), {"a": 1}))
    rows("truth and integer", column(True, 1))
    rows("truth and none", column(True, None, False))
    rows("integer and list", column(1, [1]))
    rows("object and strings that are JSON", column({"b": 1}, *(text.replace("_", " ") for text in LOOSE), None, ""))
    rows("real in a mixed column", column("x", *REALS))
    rows("mixed list", column([1, "x", None], [True]))
    rows("list in list and number", column([1, [2]]))
    rows("mixed field of an object", lines({"a": {"b": 1, "f": 0.123456789012}}, {"a": {"b": "x", "f": 1.0}}))
    rows("objects with other keys", column({"b": 1}, {"c": 2}))
    rows("objects with other keys, CR LF", column({"b": 1}, {"c": 2}).replace("\n", "\r\n"))
    rows("objects with other keys and a blank line", column({"b": 1}, {"c": 2}) + "\n")
    rows("objects with other keys deeper", column({"o": {"b": 1}}, {"o": {"c": "2020-01-01"}}))
    rows("objects with keys in other order", column({"b": 1, "c": 2}, {"c": 2, "b": 1}))
    rows("lists of objects with other keys", column([{"b": 1}, {"c": 2}], []))
    rows("lists of like objects", column([{"b": 1, "c": "x"}, None], None, []))
    rows("empty object", column({}))
    rows("empty list", column([]))
    rows("nothing", column(None, None))
    rows("lists of lists", column([[1], [2.5]], []))
    rows("columns that come late", lines({"a": 1}, {"b": 2, "a": 3}, {"c": 4}))
    rows("byte order mark", "\ufeff" + column({"b": 1}, {"c": 1}))
    rows("no last line end", '{"a":1}\n{"a":2}')
    rows("blank lines between", '\n{"a":1}\n  \n\n{"a":2}\n\n')
    rows("escapes", '{"a":"\\u00e9\\ud83d\\ude00\\n\\t\\"\\\\\\/\\u0000"}\n')
    rows("unicode keys", lines({"é": 1, "": 2, "a b": 3}))
    rows("object over several lines", json.dumps({"a": 1, "b": {"c": 2}}, indent=1), "x.json")
    rows("objects over several lines", "\n".join(json.dumps({"a": n, "b": [{"c": n}, {"d": 1}]}, indent=1) for n in (1, 2)), "x.json")
    rows("object of lists on one line", json.dumps({"a": 1, "b": [1, 2]}), "x.json")
    listed = [{"a": 1, "d": "2020-01-01", "f": 1 / 3}, {"b": 2, "f": 12345678.123456789}]
    rows("list", json.dumps(listed), "x.json")
    rows("list over several lines", json.dumps(listed, indent=1) + "\n\n", "x.json")
    rows("list behind a space", " " + json.dumps(listed), "x.json")
    rows("list behind a line end", "\n" + json.dumps([dict(listed[0], date="2020-01-01"), listed[1]]), "x.json")
    rows("list of strings", json.dumps(["x", "y", "2020-01-01"]), "x.json")
    rows("list of dates", json.dumps(["2020-01-01"]), "x.json")
    rows("list of integers", json.dumps([1, 2, 3]), "x.json")
    rows("list of lists", json.dumps([[1, 2], [3]]), "x.json")
    rows("list of mixed rows", json.dumps([{"a": 1}, "x"]), "x.json")
    rows("empty list of rows", "[]", "x.json")
    rows("list of objects with other keys", json.dumps([{"a": {"b": 1}}, {"a": {"c": 1.123456789012345}}]), "x.json")
    rows("list of reals", json.dumps([{"a": real} for real in REALS]), "x.json")
    rows("list with NaN", '[{"a":NaN},{"a":1}]', "x.json")
    rows("list with junk behind", '[{"a":1}] x', "x.json")
    rows("field", json.dumps({"version": 1, "data": [
        {"q": "x", "n": 1, "f": 1 / 3, "d": "2020-01-01", "date": "2020-01-01", "s": {"a": 1}, "num": "12"},
        {"q": "y", "n": 2.5, "date": "2020-01-01 10:11:12.5", "s": {"b": 1}, "extra": 7}]}), "x.json", field="data")
    for name, values in {
        "date": ["2020-01-01", None], "timestamp": [1577836800, None], "x_at": [1577836800000],
        "modified": [1577836800000000], "a_time": [5], "timestamps": [5, 1577836800], "Date": ["soon"],
        "mydate": ["2020-01-01"], "whole": [1.0, 2.0, None], "mixed": [1, "x"], "nested": [[1, 2.5]],
        "truth": [None, True], "nothing": [None], "_at": [9223372036, 1577836800], "y_at": [9223372037, 1577836800]}.items():
        rows(f"field {name} {values}", json.dumps({"data": [{name: value} for value in values]}), "x.json", field="data")
    rows("field of strings", json.dumps({"data": ["x", "y"]}), "x.json", field="data")
    rows("field of lists", json.dumps({"data": {"a": [1, 2], "b": ["x", "y"]}}), "x.json", field="data")
    rows("field that is not there", json.dumps({"data": [1]}), "x.json", field="nope")
    rows("broken second line", '{"a":1}\n{"a":')
    rows("comma behind the last member", '{"a":1,}\n')
    rows("single quotes", "{'a':1}\n")
    rows("row that is a number", "1\n2\n")
    rows("lone surrogate", '{"a":"\\ud800"}\n')
    rows("tab in a string", '{"a":"x\ty"}\n')
    rows("empty file", "")

    def two(title, first, second, **kwargs):
        suite.add(title, {"x.jsonl": first, "y.jsonl": second}, "json", data_files=["x.jsonl", "y.jsonl"], **kwargs)

    two("second file lacks a column", lines({"a": 1, "b": 2}), lines({"a": 2}))
    two("second file lacks a field", column({"b": 1, "c": 2}), column({"b": 2}))
    two("date becomes string", column("x"), column("2020-01-01"))
    two("string is no date", column("2020-01-01"), column("x"))
    two("numbers become strings", column("x"), column(1.0, 1.5, 1e20, 1e-7, 123456789.123, 1e-6, 1e9, 1e10, 1e5, 12345678901.0, -0.0, 1.5e300))
    two("integer becomes string", column("x"), column(12, -3))
    two("truth becomes string", column("x"), column(True, False))
    two("truth becomes integer", column(1), column(True))
    two("string becomes integer", column(1), column("12"))
    two("string is no integer", column(1), column("1.5"))
    two("integer becomes real", column(1.5), column(2))
    two("whole real becomes integer", column(1), column(2.0))
    two("real is no integer", column(1), column(2.5))
    two("mixed column goes on", column(1, "x"), column("12", "y", [1]))
    two("free objects go on", column({"b": 1}, {"c": 2}), column({"d": 0.123456789012}))
    two("empty first file", "", column(2))
    two("objects in lists go on", column([{"b": 1, "c": "q"}]), column([{"c": "x", "b": None}, {"b": 3}]))
    suite.add("types of the first split", {"x.jsonl": lines({"a": "x", "b": 1}), "y.jsonl": column(5)}, "json",
              data_files={"train": "x.jsonl", "test": "y.jsonl"})
    suite.write("json.json")


WORDS = ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
         "NA", "NULL", "NaN", "None", "n/a", "nan", "null", "NONE", "Null", "none", "na", "N/a", "Nan", "NAN", " NA",
         "NA ", "-", "?", ".", "inf"]
NUMBERS = ["1e5", "1.", ".5", "-.5e-3", "+1.0", " 2.0 ", "1e400", "1e-400", "5e-324", "0.1", "13436424.411240121",
           "0.06958328667684435", "12345678901234567", "123456789012345678.5", "1E5", "1e00005", "inf", "-inf", "+Infinity",
           "iNf", "2.2250738585072014e-308", "00012.50", "-0.0"]
NO_NUMBERS = ["1d5", "0x10", "1_000", "1,000", "1e", "1e+", "1e5.5", "1 2", "--1", "+", "1..2", "infx", "１", "TRUE1"]


def csv_suite():
    suite = Suite()

    def rows(title, text, **kwargs):
        suite.add(title, {"x.csv": text}, "csv", data_files="x.csv", **kwargs)

    rows("one of each type", "a,b,c,d\n1,x,1.5,True\n2,y,2,False\n")
    rows("each type with a gap", "a,b,c,d\n1,x,1.5,True\n,,,\n")
    rows("words for nothing", "a,b\n" + "".join(f'"{word}",{n}\n' for n, word in enumerate(WORDS)))
    rows("words for nothing among numbers", "a\n1\n" + "".join(f'"{word}"\n' for word in WORDS[1:19]))
    rows("nothing at all", "a,b\n,1\n,2\n")
    rows("integers with blanks and signs", "a,b\n 1,x\n2 , y\n+3,z\n007,\n-4,\n")
    rows("numbers", "a\n" + "".join(f"{number}\n" for number in NUMBERS))
    for text in NO_NUMBERS:
        rows(f"no number {text}", f'a\n1\n"{text}"\n')
    rows("64 bits", "a\n9223372036854775807\n-9223372036854775808\n")
    rows("beyond 64 bits and negative", "a\n9223372036854775808\n-1\n")
    rows("truth", "a,b,c,d\nTrue,TRUE,true,tRUE\nfalse,FALSE,False,false\n")
    rows("truth and a gap", "a\nTrue\nNA\n")
    rows("truth and number", "a,b\nTrue,yes\n1,True\n")
    rows("dates stay text", "a\n2020-01-01\n")
    rows("quotes", 'a,b\n"x,""y""\nz",2\n"q"r,3\ns"t,4\n" ",5\n"a" "b",6\n"""",7\n')
    rows("quoted numbers", 'a,b\n"1","True"\n"2","False"\n')
    rows("CR LF", 'a,b\r\n1,"x\r\ny"\r\n2,z\r\n')
    rows("CR", "a,b\r1,x\r2,y\r")
    rows("blank lines", "\n\na,b\n\n1,x\n   \n\t\n2,y\n\n")
    rows("blank lines in one column", 'a\n1\n \n""\n2\n')
    rows("short rows", "a,b,c\n1,2\n3\n")
    rows("no last line end", "a,b\n1,2")
    rows("trailing separator in the header", "a,b,\n1,2,\n3,4,\n")
    rows("the same name", "a,a,a.1,a\n1,2,3,4\n")
    rows("empty names", "a,,c,\n1,2,3,4\n")
    rows("names with blanks", " a , b\n1,2\n")
    rows("names that are numbers", "1,2\n3,4\n")
    rows("byte order mark", '\ufeff"a",b\n1,2\n')
    rows("NUL", "a,b\n1\x002,x\n")
    rows("blanks are text", "a,b\n  ,1\n x ,2\n")
    rows("unicode", "né,b\né😀,1\n")
    rows("tabs", "a\tb\n1\tx y\n", sep="\t")
    rows("tabs and blanks", "a\tb\n \tx\n\t\n2\t\n", sep="\t")
    rows("delimiter", "a;b\n1;x,y\n", delimiter=";")
    rows("no header", "1,2\n3,4\n", header=None)
    rows("names", "1,2\n3,4\n", names=["x", "y"])
    rows("column_names", "1,2\n3,4\n", column_names=["x", "y"])
    rows("names in place of the header", "a,b\n3,4\n", names=["x", "y"], header=0)
    rows("more names than fields", "1,2\n3,4\n", names=["x", "y", "z"])
    rows("header on the second line", "j,k\na,b\n3,4\n", header=1)
    rows("skiprows", "junk\na,b\n3,4\n", skiprows=1)
    rows("quoting 3", 'a,b\n"x",1\n', quoting=3)
    rows("quotechar", "a,b\n'x,y',1\n", quotechar="'")
    rows("keep_default_na false", "a,b,c\nNA,1,1\n,2,\n", keep_default_na=False)
    rows("na_filter false", "a,b\nNA,\n,2\n", na_filter=False)
    rows("long row", "a,b\n1,2\n3,4,5\n")
    rows("open quote", 'a,b\n"x,1\n')
    rows("open quote in the header", '"a,b\n1,2\n')
    rows("empty file", "")
    rows("only a header", "a,b\n")

    def splits(title, train, test):
        suite.add(title, {"train.csv": train, "test.csv": test})

    splits("test lacks a column", "a,b\n1,2\n", "a\n1\n")
    splits("test has another order", "a,b\n1,2\n", "b,a\n1,2\n")
    splits("integers become strings", "a\nx\n", "a\n1\n2\n")
    splits("integers become reals", "a\n1.5\n", "a\n1\n")
    splits("reals are no integers", "a\n1\n", "a\n1.5\n")
    splits("whole reals become integers", "a\n1\n", "a\n2.0\n")
    splits("gaps in an integer column", "a,b\n1,1\n", "a,b\n2.0,1\n,2\n")
    splits("reals become strings", "a\nx\n", "a\n2.0\n1e20\n1e-7\n0.1\n")
    splits("truth becomes string", "a\nx\n", "a\nTrue\n")
    suite.write("csv.json")


def text_suite():
    suite = Suite()

    def rows(title, text, **kwargs):
        suite.add(title, {"x.txt": text}, "text", data_files="x.txt", **kwargs)

    rows("lines", "a\nb\r\nc\rd\n\ne")
    rows("last line end", "a\n")
    rows("lines with their ends", "a\nb\n\nc", keep_linebreaks=True)
    rows("paragraphs", "a\nb\n\nc\n\n\n\nd\n", sample_by="paragraph")
    rows("document", "a\nb\n\nc", sample_by="document")
    rows("byte order mark and separators", "\ufeffa\u2028b\x0cc\n")
    rows("empty file", "")
    suite.write("text.json")


def card(text):
    return f"---\n{text}---\n# A data set\n"


TWO_CONFIGS = "configs:\n- config_name: x\n  data_files: x.csv\n- config_name: y\n  data_files:\n  - y.csv\n  - x.csv\n"


def folder_suite():
    suite = Suite()
    a, b, c = "a\n1\n", "a\n2\n", "a\n3\n"

    def names(title, *files, **kwargs):
        suite.add(title, {file: f"a\n{n}\n" for n, file in enumerate(files)}, **kwargs)

    names("train and test", "train.csv", "test.csv")
    names("dev and eval", "train.csv", "dev.csv", "eval.csv")
    names("order of words", "val.csv", "dev.csv", "validation.csv", "valid.csv")
    names("word inside a name", "my_train_file.csv", "mytest.csv")
    names("word between borders", "x-train.csv", "x.test.csv", "sub/y train 1.csv")
    names("folders", "train/x.csv", "test/y.csv", "test/z.csv")
    names("folders below", "data/train/x.csv", "data/test1/y.csv")
    names("folder before file", "train/test.csv", "z.csv")
    names("no words", "foo.csv", "bar.csv")
    names("shards", "data/foo-00000-of-00002.csv", "data/foo-00001-of-00002.csv", "data/train-00000-of-00001.csv", "test.csv")
    names("shards with a hash", "data/foo-00000-of-00001-abcdef.csv")
    names("shards outside data", "foo-00000-of-00001.csv", "train-00000-of-00001.csv")
    names("upper case", "Train.csv", "TEST.csv")
    names("hidden and special folders", ".hid/train.csv", "train.csv", "__x__/train.csv")
    names("a file that matches twice", "train_train.csv", "test.csv")
    names("digits", "test1.csv", "test2.csv", "train10.csv", "train2.csv")
    names("tie of extensions", "x.csv", "x.txt")
    suite.add("other files", {"train.csv": a, "README.md": "no front matter", "notes.txt": "x", "config.json": "{}"})
    suite.add("two formats", {"train.csv": a, "test.jsonl": '{"a":1}\n'})
    suite.add("two formats in one split", {"train1.csv": a, "train2.csv": b, "train3.jsonl": '{"a":9}\n'})
    suite.add("tab separated", {"train.tsv": "a\tb\n1\t2\n"})
    files = {"README.md": card(TWO_CONFIGS), "x.csv": a, "y.csv": b}
    suite.add("configuration missing", files)
    suite.add("configuration y", files, name="y")
    suite.add("no such configuration", files, name="zz")
    suite.add("data_files of the task", files, data_files="y.csv")
    suite.add("default configuration", dict(files, **{"README.md": card(TWO_CONFIGS + "  default: true\n")}))
    suite.add("configuration named default", dict(files, **{"README.md": card(TWO_CONFIGS.replace(": y\n", ": default\n"))}))
    suite.add("one configuration", {"README.md": card("configs:\n- config_name: x\n  data_files: x.csv\n"), "x.csv": a, "y.csv": b})
    suite.add("splits of a configuration", {"README.md": card(
        "configs:\n- config_name: x\n  data_files:\n  - split: dev\n    path: y.csv\n  - split: train\n    path:\n    - x.csv\n    - y*\n"),
        "x.csv": a, "y.csv": b})
    nested = {"README.md": card("configs:\n- config_name: x\n  data_dir: sub\n- config_name: y\n  data_dir: y\n"),
              "sub/train.csv": a, "sub/test.csv": b, "y/foo.csv": c}
    suite.add("data_dir", nested, name="x")
    suite.add("data_dir without words", nested, name="y")
    suite.add("data_dir and data_files", {"README.md": card('configs:\n- config_name: x\n  data_dir: sub\n  data_files: "*.csv"\n'),
                                          "sub/train.csv": a, "sub/test.csv": b, "y.csv": c})
    suite.add("separator in the card", {"README.md": card('configs:\n- config_name: x\n  data_files: x.csv\n  sep: ";"\n  foo: 1\n'), "x.csv": "a;b\n1;2\n"})
    suite.add("missing file", {"README.md": card("configs:\n- config_name: x\n  data_files: nope.csv\n"), "x.csv": a})
    suite.add("pattern without files", {"README.md": card(
        'configs:\n- config_name: x\n  data_files:\n  - split: train\n    path: x.csv\n  - split: test\n    path: "nope*"\n'), "x.csv": a})
    suite.add("name without configurations", {"x.csv": a}, name="foo")
    suite.add("name default without configurations", {"x.csv": a}, name="default")
    suite.add("patterns", {"README.md": card(
        'configs:\n- config_name: x\n  data_files:\n  - split: a\n    path: "**/x*.csv"\n  - split: b\n    path: "s/?[0-9].csv"\n  - split: c\n    path: "s/[!x]*.csv"\n  - split: d\n    path: "s/**"\n  - split: e\n    path: ".h/*"\n'),
        "x1.csv": a, "s/x2.csv": b, "s/y3.csv": c, "s/t/x4.csv": a, ".h/x5.csv": b, "s/xx.csv": c})

    def features(title, text, rows, file="x.jsonl"):
        suite.add(title, {"README.md": card(
            f"configs:\n- config_name: x\n  data_files: {file}\ndataset_info:\n- config_name: x\n  features:\n{text}"), file: rows})

    features("declared string", "  - name: a\n    dtype: string\n", a, "x.csv")
    features("declared real and a column more", "  - name: a\n    dtype: float64\n  - name: b\n    dtype: string\n", '{"a":1}\n')
    features("declared order", "  - name: b\n    dtype: string\n  - name: a\n    dtype: int64\n", '{"a":1,"b":"x"}\n')
    features("declared class label", '  - name: a\n    dtype:\n      class_label:\n        names:\n          "0": "no"\n          "1": "yes"\n', '{"a":"yes"}\n{"a":"no"}\n{"a":null}\n')
    features("declared list", "  - name: a\n    list: float64\n", '{"a":[1,2]}\n{"a":[]}\n')
    features("declared sequence", "  - name: a\n    sequence: string\n", '{"a":["x"]}\n')
    features("declared struct", "  - name: a\n    struct:\n    - name: u\n      dtype: string\n    - name: v\n      dtype: float32\n", '{"a":{"v":1,"u":"x"}}\n')
    features("declared list of structs", "  - name: a\n    list:\n    - name: u\n      dtype: string\n    - name: v\n      dtype: int64\n", '{"a":[{"v":1,"u":"x"},{"u":"y"}]}\n')
    suite.add("declared for the default", {"README.md": card("dataset_info:\n  features:\n  - name: a\n    dtype: string\n"), "x.csv": a})

    suite.add("files of a mapping", {"x.csv": a, "y.csv": b}, data_files={"test": ["x.csv", "y.csv"], "dev": "*.csv"})
    suite.add("data_dir of the task", {"s/x.csv": a, "y.csv": b}, data_dir="s")
    rows = {"x.jsonl": '{"a":1}\n', "y.jsonl": '{"a":2}\n'}
    suite.add("builder: list of files", rows, "json", data_files=["y.jsonl", "x.jsonl"])
    suite.add("builder: pattern", rows, "json", data_files="*.jsonl")
    suite.add("builder: a file twice", rows, "json", data_files=["y.jsonl", "*.jsonl"])
    suite.add("builder: name is ignored", rows, "json", "foo", data_files="x.jsonl")
    suite.add("builder: data_dir", {"s/train.jsonl": '{"a":1}\n', "s/test.jsonl": '{"a":2}\n'}, "json", data_dir="s")
    suite.add("builder: split name with a dash", rows, "json", data_files={"my-split": "x.jsonl"})
    suite.add("builder: split name with dots", rows, "json", data_files={"my.split_2": "x.jsonl"})
    suite.add("builder: one of two files is missing", rows, "json", data_files=["x.jsonl", "z.jsonl"])
    suite.add("builder: empty split", dict(rows, **{"z.jsonl": ""}), "json", data_files={"train": "x.jsonl", "test": "z.jsonl"})
    suite.write("folders.json")


def parquet_suite():
    """Files as hexadecimal digits beside what pyarrow's to_pylist gives."""
    pa = pyarrow
    cases = []

    def add(title, table, left_out=(), error=None, **options):
        sink = io.BytesIO()
        pa.parquet.write_table(table, sink, **options)
        case = {"name": title, "hex": sink.getvalue().hex()}
        if error:
            case["error"] = error
        else:
            kept = [name for name in table.column_names if name not in left_out]
            case.update(columns=kept, left_out=list(left_out),
                        rows=[plain(row) for row in pa.parquet.read_table(sink).select(kept).to_pylist()])
        cases.append(case)

    def column(values, of):
        return pa.table({"a": pa.array(values, of)})

    when = datetime.datetime(2020, 1, 2, 3, 4, 5)
    add("integers", pa.table({name: pa.array([1, None, -3 if name[0] == "i" else 3], getattr(pa, name)())
                              for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}))
    add("ends of 64 bits", column([2**63 - 1, -(2**63)], pa.int64()))
    add("beyond 64 bits", column([1, 2**63], pa.uint64()), error="integer")
    add("reals", pa.table({"h": pa.array([0.1, None, float("inf")], pa.float16()), "f": pa.array([0.1, None, 1e30], pa.float32()),
                           "d": pa.array([0.1, float("nan"), -0.0], pa.float64())}))
    add("truth, text, nothing", pa.table({"b": [True, None, False], "s": ["é😀", None, ""], "n": pa.nulls(3)}))
    add("wide text", pa.table({"l": pa.array(["x", None], pa.large_string()), "v": pa.array(["a long text that is not inline", None], pa.string_view())}))
    add("dictionary", pa.table({"d": pa.array(["x", "y", None, "x"]).dictionary_encode()}))
    add("times", pa.table({unit: pa.array([when, None, datetime.datetime(1969, 12, 31, 23, 59, 59)], pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")}))
    add("fractions of seconds", pa.table({"ms": pa.array([1, -1], pa.timestamp("ms")), "us": pa.array([1, -1], pa.timestamp("us")),
                                          "ns": pa.array([1, 1000], pa.timestamp("ns"))}))
    add("times with a zone", pa.table({"u": pa.array([when, None], pa.timestamp("us", "UTC")), "p": pa.array([when, None], pa.timestamp("us", "Europe/Paris"))}), ["p"])
    add("dates, clocks, decimals", pa.table({
        "d": pa.array([when.date(), None, datetime.date(1, 1, 1)]), "d64": pa.array([when.date(), None, datetime.date(1960, 2, 29)], pa.date64()),
        "t": pa.array([datetime.time(1, 2, 3), None, datetime.time(23, 59, 59)], pa.time32("s")),
        "m": pa.array([datetime.time(1, 2, 3, 4000), None, datetime.time(0)], pa.time32("ms")),
        "u": pa.array([datetime.time(1, 2, 3, 4), None, datetime.time(0)], pa.time64("us")),
        "x": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-0.01")], pa.decimal128(10, 2)),
        "y": pa.array([decimal.Decimal("12345678901234567890123456789012345678901.5"), None, decimal.Decimal(0)], pa.decimal256(50, 1))}))
    add("lists", pa.table({"l": [[1, None], None, []], "n": [[["x"], []], [None], None], "w": pa.array([[1.5], None, []], pa.large_list(pa.float64())),
                           "f": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int64(), 2))}))
    add("structs", pa.table({"s": [{"a": 1, "b": {"c": ["x"]}}, None, {"a": None, "b": None}], "l": [[{"k": 1}, None], [], None]}))
    add("maps", column([[("k", 1), ("j", None)], None, []], pa.map_(pa.string(), pa.int64())))
    add("JSON", pa.table({"j": pa.array(['{"a": [1, "x"]}', "null", None, '"text"', "5"], pa.json_())}))
    cases[-1]["rows"] = [{"j": value} for value in ({"a": [1, "x"]}, None, None, "text", 5)]
    add("columns that no value can hold", pa.table({
        "image": pa.array([{"bytes": b"\x00", "path": "x"}]), "raw": [b"x"], "q": ["kept"], "many": pa.array([[b"x"]]),
        "span": pa.array([datetime.timedelta(1)])}), ["image", "raw", "many", "span"])
    many = pa.table({"n": list(range(50)), "s": [str(n) for n in range(50)]})
    add("row groups", many, row_group_size=7)
    for codec in ("snappy", "zstd", "gzip", "brotli", "lz4", "none"):
        add(f"compressed by {codec}", many, compression=codec)
    add("without dictionaries, version 1", many, use_dictionary=False, version="1.0", data_page_version="2.0")
    add("no rows", many.slice(0, 0))
    label = datasets.Features({"y": datasets.ClassLabel(names=["no", "yes"])})
    add("class label", datasets.Dataset.from_dict({"y": [1, 0]}, features=label).data.table.combine_chunks())
    text = json.dumps({"source": SOURCE, "cases": cases}, indent=1, ensure_ascii=False)
    (HERE / "parquet.json").write_text(text + "\n")
    print(f"parquet.json: {len(cases)} cases")


if __name__ == "__main__":
    for make in (json_suite, csv_suite, text_suite, folder_suite, parquet_suite):
        if not sys.argv[1:] or make.__name__.split("_")[0] in sys.argv[1:]:
            make()
