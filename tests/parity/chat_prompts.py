"""Writes tests/cases/task/chat.json and chat_tasks.json: what lm-eval asks of a model under a chat template.

    chat_prompts.py         rewrites chat.json: tasks and templates of the project's own, whole requests
    chat_prompts.py HUB     and chat_tasks.json: shipped tasks with the data sets in HUB (org/name folders), hashes alone

Needs lm_eval, datasets and transformers. The model is none: prompts are built by lm-eval's own code, and templates are
rendered by transformers as lm-eval's Hugging Face model does. Templates of published models are read from the llama.cpp
sources (chat_cases.py); nothing of them, of the tasks or of the data is written, only hashes.
"""

import hashlib
import importlib.metadata
import json
import os
import pathlib
import sys
import tempfile

import yaml
from chat_cases import OWN, TOKENS, reference, template_files

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "cases" / "task"

CHOICE = {"output_type": "multiple_choice", "doc_to_text": "Q: {{q}}\nA:", "doc_to_target": "y", "doc_to_choice": "c"}
ANSWER = {"output_type": "generate_until", "doc_to_text": "Q: {{q}}\nA:", "doc_to_target": "{{c[y]}}"}
BLANK = {"output_type": "multiple_choice", "doc_to_text": "y", "doc_to_target": "{{q}}", "doc_to_choice": "c"}
SHOT = {"fewshot_split": "train", "num_fewshot": 2}
PREFIX = {"gen_prefix": "The answer is"}
ROWS = {
    "test": [{"q": "one?", "y": 1, "c": ["no", "yes"], "p": ""}, {"q": "zwei…", "y": 0, "c": ["ja", "nein"], "p": "Es ist "}],
    "train": [{"q": f"t{i}", "y": i % 2, "c": [f"a{i}", f"b{i} "], "p": "So"} for i in range(4)],
}
TOYS = [
    ("choices", CHOICE, {}, "plain"),
    ("choices under a template that trims", CHOICE, {}, "trims"),
    ("choices with examples as turns", CHOICE | SHOT, {}, "plain"),
    ("choices with examples in one message", CHOICE | SHOT, {"multiturn": False}, "plain"),
    ("a description and a system instruction", CHOICE | SHOT | {"description": "Answer {{q}}."}, {"system": "SYS"}, "plain"),
    ("the same in one message", CHOICE | SHOT | {"description": "Answer {{q}}."}, {"system": "SYS", "multiturn": False}, "plain"),
    ("a system message that the template refuses", CHOICE | SHOT | {"description": "D."}, {}, "no system"),
    ("the same for one message", CHOICE | SHOT | {"description": "D."}, {"multiturn": False}, "no system"),
    ("a prefix keeps the delimiter of choices", CHOICE | SHOT | PREFIX, {}, "plain"),
    ("a prefix in one message", CHOICE | SHOT | PREFIX, {"multiturn": False}, "plain"),
    ("a prefix that ends in a space", CHOICE | {"gen_prefix": "The answer is "}, {}, "plain"),
    ("a prefix that ends in a space, trimmed by the template", CHOICE | {"gen_prefix": "The answer is "}, {}, "trims"),
    ("a prefix that is empty for some documents", CHOICE | {"gen_prefix": "{{p}}"}, {}, "plain"),
    ("a prefix from a column", CHOICE | SHOT | {"gen_prefix": "p"}, {}, "plain"),
    ("a delimiter of the task", CHOICE | SHOT | {"target_delimiter": "=>", "fewshot_delimiter": "##"}, {"multiturn": False}, "plain"),
    ("the same with a prefix", CHOICE | SHOT | PREFIX | {"target_delimiter": "=>", "fewshot_delimiter": "##"}, {"multiturn": False}, "plain"),
    ("mutual information", CHOICE | SHOT | {"metric_list": [{"metric": "acc"}, {"metric": "acc_mutual_info"}]}, {}, "plain"),
    ("generation", ANSWER | SHOT, {"system": "SYS"}, "plain"),
    ("generation behind a prefix", ANSWER | SHOT | PREFIX, {}, "trims"),
    ("generation behind a prefix in one message", ANSWER | SHOT | PREFIX, {"multiturn": False}, "trims"),
    ("the whole answer's likelihood", ANSWER | SHOT | {"output_type": "loglikelihood"}, {}, "plain"),
    ("rolling", ANSWER | {"output_type": "loglikelihood_rolling"}, {}, "plain"),
    ("several inputs", BLANK | SHOT, {}, "plain"),
    ("several inputs in one message", BLANK | SHOT | {"description": "D."}, {"multiturn": False}, "plain"),
    ("several inputs behind a prefix", BLANK | SHOT | PREFIX, {}, "plain"),
    ("several inputs without their system message", BLANK | {"description": "D."}, {}, "no system"),
    ("messages as JSON", CHOICE | SHOT | {"description": "É."}, {}, "tojson"),
    ("special tokens", CHOICE, {}, "date and tokens"),
]

LIMIT = 40
PUBLISHED = ["meta-llama-Llama-3.1-8B-Instruct.jinja", "Qwen-Qwen3-0.6B.jinja", "google-gemma-2-2b-it.jinja"]
TASKS = [
    ("gsm8k", {"num_fewshot": 5}), ("gsm8k", {"num_fewshot": 5, "multiturn": False}), ("gsm8k", {"system": "Count."}),
    ("mmlu_astronomy", {"num_fewshot": 5}), ("mmlu_astronomy", {"num_fewshot": 3, "multiturn": False, "system": "Be right."}),
    ("arc_challenge_chat", {}), ("arc_challenge_llama", {}), ("arc_challenge_llama", {"num_fewshot": 3}),
    ("arc_challenge_llama", {"num_fewshot": 3, "multiturn": False}), ("arc_easy", {"num_fewshot": 2}),
    ("winogrande", {"num_fewshot": 5}), ("winogrande", {"num_fewshot": 2, "multiturn": False, "system": "S"}),
    ("hellaswag", {"num_fewshot": 1}), ("piqa", {}), ("triviaqa", {"num_fewshot": 5}), ("truthfulqa_mc1", {}),
    ("lambada_openai", {}), ("wikitext", {}), ("humaneval_instruct", {}), ("mbpp_instruct", {}), ("ifeval", {}),
]


def renderer(template):
    def render(messages, add_generation_prompt=True):
        case = {"messages": [(m["role"], m["content"]) for m in messages], "continue": not add_generation_prompt,
                "variables": TOKENS}
        outcome = reference(template, case)
        if "error" in outcome:
            raise ValueError(outcome["error"])
        return outcome["output"]
    return render


def built(task, options, template):
    if options.get("num_fewshot") is not None and task.get_config("num_fewshot") != 0:
        task.set_config(key="num_fewshot", value=options["num_fewshot"])
    elif task.get_config("num_fewshot") is None:
        task.set_config(key="num_fewshot", value=0)
    task.set_fewshot_seed(seed=1234)
    task.build_all_requests(limit=options.get("limit"), system_instruction=options.get("system"), apply_chat_template=True,
                            fewshot_as_multiturn=options.get("multiturn", True), chat_template=renderer(template))
    return task.instances


def toy_case(name, config, options, template):
    from lm_eval.api.task import ConfigurableTask
    text = yaml.safe_dump({"task": "t", "dataset_path": "json", "test_split": "test"} | config, sort_keys=False)
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for split, rows in ROWS.items():
            files[split] = os.path.join(folder, split + ".json")
            pathlib.Path(files[split]).write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        data = {"dataset_kwargs": {"data_files": files}}
        instances = built(ConfigurableTask(config=yaml.safe_load(text) | data), options, OWN[template])
    requests = []
    for instance in instances:
        arguments = list(instance.args)[:2] if config["output_type"] != "generate_until" else [instance.args[0], ""]
        if len(arguments) == 1:
            arguments = ["", arguments[0]]
        requests.append([instance.doc_id, instance.idx, *arguments])
    return {"name": name, "yaml": text, "options": options, "template": template, "requests": requests}


def task_case(manager, name, options, template):
    task = manager.load([name])["tasks"][name]
    instances = built(task, options | {"limit": LIMIT}, template.read_text(encoding="utf-8"))
    texts = [[instance.doc_id, instance.idx, *[a for a in instance.args if isinstance(a, str)]] for instance in instances]
    whole = json.dumps(texts, ensure_ascii=False).encode()
    return {"task": name, "options": options, "template": template.name, "requests": len(texts),
            "sha256": hashlib.sha256(whole).hexdigest()}


def write(name, cases, more):
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in ("lm_eval", "transformers", "datasets"))
    head = {"source": f"{versions}; made by tests/parity/chat_prompts.py"} | more
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    text = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items())
    (FOLDER / name).write_text("{" + text + ',\n"cases": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(f"{name}: {len(cases)} cases")


def hub_cases(hub):
    import unittest.mock

    import datasets
    import evaluate
    from lm_eval.tasks import TaskManager
    evaluate.load = unittest.mock.MagicMock()  # the helpers of some tasks load metrics from the hub when imported
    load = datasets.load_dataset

    def local(path, *arguments, **named):
        folder = hub / path
        return load(str(folder) if folder.is_dir() else path, *arguments, **named)

    datasets.load_dataset = local
    published = {path.name: path for path in template_files()}
    manager = TaskManager()
    cases = []
    for number, (name, options) in enumerate(TASKS):
        template = published[PUBLISHED[number % len(PUBLISHED)]]
        try:
            cases.append(task_case(manager, name, options, template))
        except Exception as fault:
            print(f"{name} {options}: left out, {type(fault).__name__}: {fault}")
    return cases


def main():
    write("chat.json", [toy_case(*toy) for toy in TOYS],
          {"tokens": TOKENS, "data": ROWS, "templates": {toy[3]: OWN[toy[3]] for toy in TOYS}})
    if len(sys.argv) > 1:
        write("chat_tasks.json", hub_cases(pathlib.Path(sys.argv[1]).resolve()), {"tokens": TOKENS, "limit": LIMIT})


if __name__ == "__main__":
    main()
