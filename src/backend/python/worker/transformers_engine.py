"""transformers, in three wrappings of one model object: generate() itself, its text-generation pipeline, and
that pipeline in LangChain. Scoring is the worker's own, on the model's logits."""

import contextlib
import inspect

import torch
from tare_model import describe, parameters, texts
from transformers import AutoModelForCausalLM, GenerationConfig, StoppingCriteria, StoppingCriteriaList

_DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
_TOKEN_IDS = ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id")


class StopAtText(StoppingCriteria):
    """Ends an answer once one of the stop strings stands in its text."""

    def __init__(self, decode, prompt_length, until):
        self.decode, self.prompt_length, self.until = decode, prompt_length, until

    def found(self, tokens):
        text = self.decode(tokens)
        return any(stop in text for stop in self.until)

    def __call__(self, input_ids, scores, **_):
        found = bool(self.until) and self.found(input_ids[0, self.prompt_length :].tolist())
        return torch.full((input_ids.shape[0],), found, device=input_ids.device)


class StopNow(StoppingCriteria):
    def __call__(self, input_ids, scores, **_):
        return torch.ones(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)


class Watch:
    """What reaches generate() in the end, whatever stands before it: the prompt's ids, the configuration after
    all merging, and the ids that came out."""

    def __init__(self, model):
        self.prompt, self.output, self.config = None, None, None
        generate, prepare = model.generate, model._prepare_generation_config

        def watched_generate(*args, **kwargs):
            self.prompt = kwargs["input_ids"]
            self.output = generate(*args, **kwargs)
            return self.output

        def watched_prepare(*args, **kwargs):
            config, rest = prepare(*args, **kwargs)
            self.config = config.to_dict()
            return config, rest

        model.generate, model._prepare_generation_config = watched_generate, watched_prepare


@contextlib.contextmanager
def _only_given(model, settings):
    """Where a run gives the parameters, those that the model brings are set aside, but for its tokens' ids."""
    brought = model.generation_config
    if settings["parameters"] == "given":
        ids = {name: getattr(brought, name, None) for name in _TOKEN_IDS}
        model.generation_config = GenerationConfig(**ids)
    try:
        yield
    finally:
        model.generation_config = brought


class Transformers(texts.Texts):
    """AutoModelForCausalLM with generate()."""

    scores = True
    prompts = "ids"

    def __init__(self, folder, settings):
        super().__init__(folder)
        if settings["threads"]:
            torch.set_num_threads(settings["threads"])
        self.model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=_DTYPES[settings["dtype"]], use_safetensors=True
        ).eval()
        self.dtype = settings["dtype"]
        self.watch = Watch(self.model)
        self.takes_few_logits = "logits_to_keep" in inspect.signature(self.model.forward).parameters

    def describe(self):
        return {
            **super().describe(),
            "eos": self._end_tokens(),
            "context_length": texts.context_length(self.model.config),
            "capabilities": {"score": self.scores, "generate": True},
            "settings": {
                "dtype": self.dtype,
                "prompts": self.prompts,
                "architecture": type(self.model).__name__,
                "attention": getattr(self.model.config, "_attn_implementation", ""),
                "device": str(self.model.device),
                "threads": torch.get_num_threads(),
            },
            "generation": self._effective_defaults(),
        }

    def _end_tokens(self):
        found = self.model.generation_config.eos_token_id
        if found is None:
            return []
        return found if isinstance(found, list) else [found]

    def _effective_defaults(self):
        """The configuration of an answer that nothing is given for, read where the library uses it."""
        token = self.tokenizer.bos_token_id
        token = token if token is not None else self.tokenizer.eos_token_id
        prompt = [0 if token is None else token]
        with torch.inference_mode():
            self.run(prompt, {"stopping_criteria": StoppingCriteriaList([StopNow()])})
        config = {name: value for name, value in self.watch.config.items() if value is not None}
        config.pop("transformers_version", None)
        return describe.plain(config)

    def score(self, items):
        try:
            return self._scores(items)
        except RuntimeError:
            if len(items) == 1:
                raise
            return [_guarded(lambda item: self._scores([item])[0], item) for item in items]

    def _scores(self, items):
        rows = [item["tokens"][:-1] for item in items]
        width = max(map(len, rows))
        start = min(item["first_scored"] for item in items) - 1
        ids = torch.zeros((len(rows), width), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = torch.tensor(row)
            mask[place, : len(row)] = 1
        arguments = {"attention_mask": mask} if len(rows) > 1 else {}
        if self.takes_few_logits:
            arguments["logits_to_keep"] = width - start
        with torch.inference_mode():
            logits = self.model(input_ids=ids, use_cache=False, **arguments).logits[:, -(width - start) :]
        return [_sum(item, logits[place], start) for place, item in enumerate(items)]

    def generate(self, items, settings, until):
        return [_guarded(lambda item: self._continue(item, settings, until), item) for item in items]

    def _continue(self, item, settings, until):
        prompt = item["tokens"]
        stop = StopAtText(self._answer_text, len(prompt), until)
        arguments = parameters.transformers_arguments(settings)
        arguments["stopping_criteria"] = StoppingCriteriaList([stop])
        torch.manual_seed(item["seed"])
        with _only_given(self.model, settings), torch.inference_mode():
            text = self.run(prompt, arguments)
        if self.watch.prompt[0].tolist() != prompt:
            return {"error": "the prompt's text was read as other tokens than those that were asked for"}
        tokens = self.watch.output[0, len(prompt) :].tolist()
        return {"text": text, "tokens": tokens, "finish": self._finish(tokens, stop)}

    def _answer_text(self, tokens):
        return self.detokenize([tokens], False)[0]

    def _finish(self, tokens, stop):
        if tokens and tokens[-1] in self._end_tokens():
            return "end"
        return "stop" if stop.found(tokens) else "length"

    def run(self, prompt, arguments):
        """The text that the library gives behind the prompt."""
        ids = torch.tensor([prompt])
        output = self.model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), **arguments)
        return self._answer_text(output[0, len(prompt) :].tolist())


class Pipeline(Transformers):
    """transformers.pipeline("text-generation") around the same model: text in, text out. Prompts hold the text
    of their special tokens, so the pipeline is told to add none."""

    scores = False
    prompts = "text"

    def __init__(self, folder, settings):
        super().__init__(folder, settings)
        from transformers import pipeline

        self.pipeline = pipeline("text-generation", model=self.model, tokenizer=self.tokenizer)

    def score(self, items):
        raise ValueError("the pipeline gives no log-probabilities of a text")

    def run(self, prompt, arguments):
        text = self.detokenize([prompt], True)[0]
        record = self.pipeline(text, return_full_text=False, add_special_tokens=False, **arguments)
        return record[0]["generated_text"]


class LangChain(Pipeline):
    """That pipeline as langchain_huggingface.HuggingFacePipeline."""

    def __init__(self, folder, settings):
        super().__init__(folder, settings)
        from langchain_huggingface import HuggingFacePipeline

        self.chain = HuggingFacePipeline(pipeline=self.pipeline)

    def run(self, prompt, arguments):
        text = self.detokenize([prompt], True)[0]
        return self.chain.invoke(
            text, skip_prompt=True, pipeline_kwargs={"add_special_tokens": False, **arguments}
        )


def _guarded(work, item):
    """One item's failure is that item's alone."""
    try:
        return work(item)
    except (RuntimeError, ValueError, IndexError) as error:
        return {"error": describe.one_line(error)}


def _sum(item, logits, start):
    """Over the scored tokens, in float64, of log-probabilities in float32. `logits` begin at place `start`."""
    tokens, first = item["tokens"], item["first_scored"]
    rows = torch.log_softmax(logits[first - 1 - start : len(tokens) - 1 - start].float(), dim=-1)
    wanted = torch.tensor(tokens[first:])
    picked = rows.gather(1, wanted[:, None])[:, 0]
    return {"sum": picked.double().sum().item(), "greedy": bool((rows.argmax(dim=-1) == wanted).all())}
