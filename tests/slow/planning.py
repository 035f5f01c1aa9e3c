"""All of MMLU with five examples is planned: its counts, and memory below 1 GiB beside the model. The time
is shown, not judged: the machine may be busy."""

import sys

from support import Took, lm_eval_tasks, models, shared_hub

QUESTIONS = 14042
CHOICES = 4
MEMORY = 1 << 30


def main():
    program = sys.argv[1]
    file = min(models().values(), key=lambda path: path.stat().st_size)
    took = Took([program, "plan", "--model", f"gguf:{file}", "--tasks", "mmlu", "--num-fewshot", "5", "--json",
                 "--include-path", str(lm_eval_tasks()), "--datasets", str(shared_hub()), "--offline"])
    document = took.json()
    tasks, tokens = document["tasks"], document["tokens"]
    checks = {
        "57 subjects": len(tasks) == 57,
        "every question": sum(task["documents"] for task in tasks) == QUESTIONS,
        "every choice": sum(task["requests"] for task in tasks) == QUESTIONS * CHOICES,
        "tokens of tasks add up": sum(task["tokens"]["requested"] for task in tasks) == tokens["requested"],
        "unique tokens of tasks add up": sum(task["tokens"]["unique"] for task in tasks) == tokens["unique"],
        "examples are shared": tokens["unique"] * 20 < tokens["requested"],
        "memory": took.peak < MEMORY,
    }
    for name, good in checks.items():
        print(f"{'ok  ' if good else 'FAIL'} {name}")
    print(f"{tokens['requested']} tokens, {tokens['unique']} unique; {took.cpu:.1f} s of CPU time, "
          f"peak {took.peak >> 20} MiB")
    failed = sum(not good for good in checks.values())
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
