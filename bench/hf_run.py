"""hf_run.py JSON: one run of lm-eval's `hf` model, by the bench with the interpreter of its venv. Prints
one line of JSON: the seconds that the model was asked, and the answers by document."""

import contextlib
import json
import sys
import time

import lm_eval
import torch
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager


class TimedModel(HFLM):
    """Adds up how long the model is asked."""

    model_seconds = 0.0

    def loglikelihood(self, requests, *args, **kwargs):
        begin = time.monotonic()
        answers = super().loglikelihood(requests, *args, **kwargs)
        self.model_seconds += time.monotonic() - begin
        return answers


def main(options):
    torch.set_num_threads(options["threads"])
    with contextlib.redirect_stdout(sys.stderr):
        model = TimedModel(pretrained=options["weights"], dtype="float32", device="cpu",
                           batch_size=options["batch"])
        results = lm_eval.simple_evaluate(model=model, tasks=[options["task"]], num_fewshot=options["shots"],
                                          limit=options["limit"], bootstrap_iters=0,
                                          task_manager=TaskManager())
    answers = {}
    for sample in results["samples"][options["task"]]:
        answers[sample["doc_id"]] = [response[0][0] for response in sample["resps"]]
    print(json.dumps({"model_seconds": model.model_seconds, "answers": answers}))


main(json.loads(sys.argv[1]))
