"""What is run: the tasks of the bench, and the figures that tare is to reach on them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Work:
    name: str
    task: str
    shots: int = 0
    limit: int = 100
    generates: bool = False
    hub: bool = True  # its data set is one of --datasets
    targets: dict = field(default_factory=dict)  # peer: least ratio on F32


WORKS = [
    Work("mmlu", "mmlu_high_school_geography", shots=5,
         targets={"lm-eval": 6, "no-sharing": 20, "llama-bench": 0.95}),
    Work("hellaswag", "hellaswag", targets={"lm-eval": 2, "llama-perplexity": 2, "llama-bench": 0.95}),
    Work("arc", "arc_easy", targets={"lm-eval": 2.5, "llama-bench": 0.95}),
    Work("generation", "bench_stories", limit=48, generates=True, hub=False,
         targets={"llama-batched-bench": 0.9}),
    Work("everyday", "everyday", limit=20, hub=False),
]

MODELS = {
    "f32": "smollm2-135m-instruct-f32.gguf",
    "q8_0": "smollm2-135m-instruct-q8_0.gguf",
    "q4_k_m": "smollm2-135m-instruct-q4_k_m.gguf",
    "gemma": "gemma-3-270m-q4_k_m.gguf",
}


def target(work, peer, model):
    """The least ratio that is wanted, if one is. Figures against float32 programs are for F32 alone."""
    wanted = work.targets.get(peer.name)
    everywhere = peer.name in ("llama-bench", "llama-batched-bench")
    return wanted if model == "f32" or everywhere else None
