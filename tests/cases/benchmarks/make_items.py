"""Writes items.json: made-up rows, and the items that the benchmarks make of them by their definitions.

Needs CPython 3.11: python tests/cases/benchmarks/make_items.py
"""
import hashlib
import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent


def order(item, count):
    """The shuffle of docs/design/benchmarks.md."""
    places = list(range(count))
    random.Random(int(hashlib.sha256(f"42\n{item}".encode()).hexdigest()[:15], 16)).shuffle(places)
    return places


def truthfulqa(row):
    texts, labels = row["mc1_targets"]["choices"], row["mc1_targets"]["labels"]
    right = labels.index(1)
    kept = [texts[right], *[text for i, text in enumerate(texts) if i != right][:7]]
    places = order(row["question"], len(kept))
    return {"question": row["question"], "choices": [kept[i] for i in places], "answer": places.index(0),
            "options_left_out": len(texts) - len(kept)}


def stereoset(row):
    places = order(row["id"], 3)
    return {"id": row["id"], "form": "intrasentence" if "BLANK" in row["context"] else "intersentence",
            "bias_type": row["bias_type"], "target": row["target"], "context": row["context"],
            "choices": [row["sentences"][i]["sentence"] for i in places],
            "labels": [row["sentences"][i]["gold_label"] for i in places]}


def question(count, right=0, name="Which bird cannot fly?"):
    return {"question": f"{name} {count}", "mc1_targets": {
        "choices": [f"bird {i}" for i in range(count)], "labels": [int(i == right) for i in range(count)]}}


def sentences(name, context, labels=("stereotype", "anti-stereotype", "unrelated")):
    return {"id": name, "target": "baker", "bias_type": "profession", "context": context,
            "sentences": [{"sentence": f"The baker was {label}.", "gold_label": label} for label in labels]}


def as_on_the_hub(row):
    classes = ["anti-stereotype", "stereotype", "unrelated"]
    return {**row, "sentences": {
        "sentence": [one["sentence"] for one in row["sentences"]], "id": ["x"] * 3,
        "gold_label": [classes.index(one["gold_label"]) for one in row["sentences"]]}}


def bbq(groups, stereotyped, polarity, answers=("Ann", "Bob", "Not known")):
    return {"example_id": 7, "question_polarity": polarity, "context_condition": "ambig", "category": "Made up",
            "answer_info": {f"ans{i}": group for i, group in enumerate(groups)},
            "additional_metadata": {"stereotyped_groups": stereotyped}, "context": "They met.",
            "question": "Who was late?", **{f"ans{i}": text for i, text in enumerate(answers)}, "label": 2}


def with_roles(row, unknown, biased, counter):
    return {**row, "choices": [row["ans0"], row["ans1"], row["ans2"]], "answer": row["label"], "unknown": unknown,
            "biased": biased, "counter": counter}


def bbq_cases():
    plain = [["Ann", "old"], ["Bob", "nonOld"], ["Not known", "unknown"]]
    cases = []

    def case(name, groups, stereotyped, target, unknown=2):
        others = [i for i in range(3) if i not in (unknown, target)]
        for polarity in ("neg", "nonneg"):
            row = bbq(groups, stereotyped, polarity)
            biased, counter = (None, None) if target is None else (
                (target, others[0]) if polarity == "neg" else (others[0], target))
            cases.append({"name": f"{name}, {polarity}", "function": "tare.bbq_item", "row": row,
                          "expected": with_roles(row, unknown, biased, counter)})

    case("by the group", plain, ["old"], 0)
    case("the other group", plain, ["nonOld"], 1)
    case("unknown first", [plain[2], *plain[:2]], ["old"], 1, unknown=0)
    case("by the name of who is meant", [["Kenyan", "Africa"], ["Swede", "Europe"], plain[2]], ["Kenyan", "Malian"], 0)
    case("in other letters", plain, ["Old"], 0)
    case("both groups are stereotyped", plain, ["old", "nonOld"], None)
    case("neither group is", plain, ["rich"], None)
    case("two kinds of groups", [["Ann", "F-Black"], ["Bob", "M-White"], plain[2]], ["Black"], 0)
    case("gender in the group", [["Ann", "F-Black"], ["Bob", "M-White"], plain[2]], ["F"], 0)
    case("gender in the word", [["girl", "girl"], ["boy", "boy"], plain[2]], ["F"], 0)
    case("income", [["cashier", "lowSES"], ["banker", "highSES"], plain[2]], ["low SES"], 0)
    case("income and group", [["Ann", "highSES-Asian"], ["Bob", "lowSES-White"], plain[2]], ["low SES"], 1)
    return cases


def refused(name, function, row, error):
    return {"name": name, "function": function, "row": row, "error": error}


def main():
    cases = [{"name": f"{count} options, right {right}", "function": "tare.truthfulqa_item", "row": question(count, right),
              "expected": truthfulqa(question(count, right))}
             for count, right in [(2, 0), (2, 1), (4, 0), (4, 3), (8, 0), (9, 0), (9, 8), (13, 5)]]
    for name, context in [("one", "The baker was BLANK."), ("two", "I met a baker."), ("zw\u00f6lf", "Ein B\u00e4cker: BLANK")]:
        row = sentences(name, context)
        cases.append({"name": f"sentences {name}", "function": "tare.stereoset_item", "row": row, "expected": stereoset(row)})
        cases.append({"name": f"sentences {name} of the hub", "function": "tare.stereoset_item", "row": as_on_the_hub(row),
                      "expected": stereoset(row)})
    cases += bbq_cases()
    two_right = question(3)
    two_right["mc1_targets"]["labels"] = [1, 1, 0]
    one_label = "!function tare.truthfulqa_item: document 0: mc1_targets: wanted one label a choice, and just one that is 1"
    cases += [
        refused("two right options", "tare.truthfulqa_item", two_right, one_label),
        refused("no right option", "tare.truthfulqa_item", question(3, right=5), one_label),
        refused("no targets", "tare.truthfulqa_item", {"question": "q"}, "!function tare.truthfulqa_item: document 0: no column mc1_targets"),
        refused("a label that is none", "tare.stereoset_item", sentences("x", "y", ("stereotype", "bad", "unrelated")),
                "!function tare.stereoset_item: document 0: gold_label: found 'bad', wanted stereotype, anti-stereotype or unrelated"),
        refused("two sentences", "tare.stereoset_item", sentences("x", "y", ("stereotype", "unrelated")),
                "!function tare.stereoset_item: document 0: sentences: found 2, wanted 3"),
        refused("nobody is unknown", "tare.bbq_item", bbq([["a", "x"], ["b", "y"], ["c", "z"]], ["x"], "neg"),
                "!function tare.bbq_item: document 0: answer_info: none of the three answers is marked unknown"),
        refused("a text for a list", "tare.bbq_item", bbq(["a", ["b", "y"], ["c", "unknown"]], ["x"], "neg"),
                "!function tare.bbq_item: document 0: ans0: found str, wanted a list"),
    ]
    text = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "items.json").write_text(f'{{"source": "the definitions in make_items.py", "cases": [\n{text}\n]}}\n')


if __name__ == "__main__":
    main()
