"""Writes tests/cases/backend/sampler.json with the logits processors of transformers.

Usage: sampler_cases.py > tests/cases/backend/sampler.json. Needs torch and transformers 5. Each case is a row
of logits, the settings, and the tokens that numbers u in [0, 1) choose when the probabilities which the
processors leave are added up by token id.
"""

import json

import torch
from transformers.generation import logits_process as lp

ROWS = {
    "plain": [0.1, 2.5, -1.0, 0.7, 1.9, -3.0, 0.0, 1.2, -0.4, 2.2, -2.0, 0.3],
    "ties": [1.0, 2.0, 2.0, 0.5, 1.0, 2.0, -1.0, 0.5],
    "steep": [9.0, 1.0, 0.5, -4.0, 8.5, 2.0],
    "negative": [-7.5, -7.0, -9.25, -7.25, -12.0],
    "flat": [0.0] * 7,
}
SETTINGS = [
    {"temperature": 1.0},
    {"temperature": 0.5},
    {"temperature": 3.0},
    {"temperature": 1.0, "top_k": 3},
    {"temperature": 1.0, "top_k": 1},
    {"temperature": 1.0, "top_k": 100},
    {"temperature": 0.7, "top_p": 0.6},
    {"temperature": 1.0, "top_p": 0.95},
    {"temperature": 1.0, "top_p": 0.0},
    {"temperature": 1.0, "top_p": 1.0},
    {"temperature": 1.5, "min_p": 0.2},
    {"temperature": 1.0, "min_p": 1.0},
    {"temperature": 0.8, "top_k": 4, "top_p": 0.8, "min_p": 0.05},
    {"temperature": 1.0, "repetition_penalty": 1.3, "prompt": [1, 4, 4, 0]},
    {"temperature": 1.0, "repetition_penalty": 0.5, "prompt": [2, 3], "top_k": 2},
]
# Between the sums of any case, not on one of them.
DRAWS = [0.0, 0.0371, 0.1213, 0.2517, 0.3779, 0.5033, 0.6271, 0.7529, 0.8837, 0.9613, 0.99991]


def processed(row, settings):
    scores = torch.tensor([row], dtype=torch.float64)
    ids = torch.tensor([settings.get("prompt", [])], dtype=torch.int64)
    if "repetition_penalty" in settings:
        scores = scores.float()
        scores = lp.RepetitionPenaltyLogitsProcessor(settings["repetition_penalty"])(ids, scores).double()
    if settings["temperature"] != 1:
        scores = lp.TemperatureLogitsWarper(settings["temperature"])(ids, scores)
    if "top_k" in settings:
        scores = lp.TopKLogitsWarper(settings["top_k"])(ids, scores)
    if settings.get("top_p", 1.0) < 1:
        scores = lp.TopPLogitsWarper(settings["top_p"])(ids, scores)
    if "min_p" in settings:
        scores = lp.MinPLogitsWarper(settings["min_p"])(ids, scores)
    return scores[0]


def chosen(probabilities, u):
    total = 0.0
    for token, p in enumerate(probabilities):
        total += p
        if u < total:
            return token
    return max(token for token, p in enumerate(probabilities) if p > 0)


def tied_cut(name, settings):
    """torch does not say which of equal values top_p keeps."""
    return name in ("ties", "flat") and settings.get("top_p", 1.0) < 1


def uniform(seed, step):
    mask = 2**64 - 1

    def mix(x):
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & mask
        return x ^ (x >> 31)

    return (mix((mix(seed) + (step + 1) * 0x9E3779B97F4A7C15) & mask) >> 11) * 2.0**-53


def main():
    cases = []
    for name, row in ROWS.items():
        for settings in SETTINGS:
            if tied_cut(name, settings) or max(settings.get("prompt", [0])) >= len(row):
                continue
            scores = processed(row, settings)
            probabilities = torch.softmax(scores, dim=-1).tolist()
            cases.append({"logits": row, "settings": settings, "argmax": int(scores.argmax()),
                          "draws": [[u, chosen(probabilities, u)] for u in DRAWS]})
    uniforms = [[seed, step, uniform(seed, step)] for seed in (0, 1, 1234, 2**63 - 1) for step in (0, 1, 2, 1000)]
    lines = ["  " + json.dumps(case) for case in cases]
    print('{\n"source": "tests/parity/sampler_cases.py, transformers 5.24.0, torch 2.13.0",\n"cases": [')
    print(",\n".join(lines))
    print('],\n"uniform": [')
    print(",\n".join("  " + json.dumps(entry) for entry in uniforms))
    print("]\n}")


main()
