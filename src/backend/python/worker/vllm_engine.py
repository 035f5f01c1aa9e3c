"""vLLM's offline engine. Prompts are token ids; given texts are scored by its prompt_logprobs."""

import os

from tare_model import describe, parameters, texts


class Vllm(texts.Texts):
    def __init__(self, folder, settings):
        super().__init__(folder)
        # The engine in this process, so that it ends with it.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
        if settings["threads"]:
            os.environ.setdefault("OMP_NUM_THREADS", str(settings["threads"]))
        import torch
        import vllm

        self.torch, self.vllm = torch, vllm
        arguments = {"model": folder, "dtype": settings["dtype"], **_cache_on_cpu()}
        if settings["context_length"]:
            arguments["max_model_len"] = settings["context_length"]
        self.engine = vllm.LLM(**arguments)
        self.dtype = settings["dtype"]

    def describe(self):
        defaults = self.engine.get_default_sampling_params()
        config = self.engine.model_config
        return {
            **super().describe(),
            "context_length": config.max_model_len,
            "capabilities": {"score": True, "generate": True},
            "settings": {
                "dtype": self.dtype,
                "prompts": "ids",
                "architecture": ", ".join(config.architectures or []),
                "threads": self.torch.get_num_threads(),
                "enforce_eager": config.enforce_eager,
            },
            "generation": {
                "source": config.generation_config,
                **describe.plain({name: getattr(defaults, name) for name in _REPORTED}),
            },
        }

    def score(self, items):
        wanted = self.vllm.SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=1, detokenize=False)
        outputs = self._ask(items, [wanted] * len(items))
        return [_sum(item, output.prompt_logprobs) for item, output in zip(items, outputs)]

    def generate(self, items, settings, until):
        wanted = [self._sampling(item, settings, until) for item in items]
        return [_generated(output.outputs[0]) for output in self._ask(items, wanted)]

    def _ask(self, items, wanted):
        prompts = [{"prompt_token_ids": item["tokens"]} for item in items]
        return self.engine.generate(prompts, wanted, use_tqdm=False)

    def _sampling(self, item, settings, until):
        given = parameters.vllm_arguments(settings)
        if settings["parameters"] != "given":
            given = {**self.engine.model_config.get_diff_sampling_param(), **given}
        return self.vllm.SamplingParams.from_optional(
            **given, seed=item["seed"], stop=until, include_stop_str_in_output=True
        )


def _cache_on_cpu():
    """By itself vLLM takes nine tenths of a machine's memory for keys and values, and does not start where so much
    is not free: beside a server, or right after another engine. On a GPU, or where its own variable says how many
    GiB, that is left to vLLM."""
    from vllm.platforms import current_platform

    if not current_platform.is_cpu() or os.environ.get("VLLM_CPU_KVCACHE_SPACE"):
        return {}
    import psutil

    return {"kv_cache_memory_bytes": psutil.virtual_memory().available // 4}


_REPORTED = (
    "max_tokens",
    "min_tokens",
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "repetition_penalty",
    "presence_penalty",
    "frequency_penalty",
    "seed",
)


def _generated(output):
    finish = "length"
    if output.finish_reason == "stop":
        finish = "stop" if isinstance(output.stop_reason, str) else "end"
    return {"text": output.text, "tokens": list(output.token_ids), "finish": finish}


def _sum(item, places):
    """Over the scored tokens, in float64."""
    scored = range(item["first_scored"], len(item["tokens"]))
    found = [places[place][item["tokens"][place]] for place in scored]
    return {"sum": float(sum(one.logprob for one in found)), "greedy": all(one.rank == 1 for one in found)}
