"""hf_weights.py GGUF FOLDER: the weights of a GGUF file as a folder that transformers loads, in float32.

Run by the bench with the interpreter of its venv. transformers reads a GGUF file but refuses to save what
it read, so the weights are written here."""

import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(gguf, folder):
    gguf, folder = pathlib.Path(gguf).resolve(), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    # It would say that the folder holds a GGUF file.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    tokenizer.save_pretrained(folder)
    model.config.save_pretrained(folder)
    weights = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    if model.config.tie_word_embeddings:
        weights.pop("lm_head.weight", None)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


main(*sys.argv[1:])
