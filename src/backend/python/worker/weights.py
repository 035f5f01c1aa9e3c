"""The folder that libraries load. The weights of a GGUF file are written once, in float32, as a folder of
Hugging Face's layout, so that all backends hold the same numbers.

transformers reads a GGUF file but refuses to save what it read, so the weights are written here.
python weights.py GGUF FOLDER does the same by hand."""

import json
import os
import pathlib
import platform
import shutil
import sys

# Part of the name of a folder: another number where the same file would give another folder.
LAYOUT = 1


def folder_of(settings):
    """The folder to load: the one that is named, or what is made of the GGUF file that is named."""
    path = pathlib.Path(settings["path"])
    if path.is_dir():
        return str(path)
    folder = pathlib.Path(settings["cache"]) / f"float32-{settings['sha256']}-{LAYOUT}"
    if not folder.is_dir():
        write_whole(path, folder)
    return str(folder)


def _runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def clear_drafts(folder):
    """Of any model, left by processes of this machine that were ended: each is as large as its weights. What other
    machines write into the same cache is not judged from here."""
    mark = f".draft-{platform.node()}-"
    for draft in folder.glob(f"*{mark}*"):
        process = draft.name.rpartition(mark)[2]
        if process.isdecimal() and not _runs(int(process)):
            shutil.rmtree(draft, ignore_errors=True)


def write_whole(gguf, folder):
    """A reader finds the whole folder or none, whoever else writes it at the same time."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    clear_drafts(folder.parent)
    draft = folder.with_name(f"{folder.name}.draft-{platform.node()}-{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        export(gguf, draft)
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another one was faster
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _field(reader, name):
    field = reader.get_field(name)
    return None if field is None else field.contents()


def _add_chat_template(tokenizer, reader):
    """transformers leaves it in the file for some models."""
    template = _field(reader, "tokenizer.chat_template")
    if template and not tokenizer.chat_template:
        tokenizer.chat_template = template


def _generation_config(config, reader):
    """A GGUF file has no generation settings but the ids of the tokens that begin and end an answer."""
    from transformers import GenerationConfig

    ids = {
        "bos_token_id": _field(reader, "tokenizer.ggml.bos_token_id"),
        "eos_token_id": _field(reader, "tokenizer.ggml.eos_token_id"),
        "pad_token_id": _field(reader, "tokenizer.ggml.padding_token_id"),
    }
    ids = {name: getattr(config, name, None) if value is None else int(value) for name, value in ids.items()}
    turn_end = _field(reader, "tokenizer.ggml.eot_token_id")
    if turn_end is not None and int(turn_end) != ids["eos_token_id"]:
        ids["eos_token_id"] = [ids["eos_token_id"], int(turn_end)]
    return GenerationConfig(**ids)


def _tensors(model):
    """Those that a loader looks for: weights that are tied to others are left out."""
    weights = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    if getattr(model.config.get_text_config(), "tie_word_embeddings", False):
        weights.pop("lm_head.weight", None)
    return weights


def export(gguf, folder):
    import torch
    from gguf import GGUFReader
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    gguf, folder = pathlib.Path(gguf).resolve(), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    reader = GGUFReader(gguf)
    tokenizer = AutoTokenizer.from_pretrained(**source)
    _add_chat_template(tokenizer, reader)
    tokenizer.save_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    # It would say that the folder holds a GGUF file.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.config.architectures = [type(model).__name__]
    model.config.save_pretrained(folder)
    _generation_config(model.config, reader).save_pretrained(folder)
    save_file(_tensors(model), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "tare.json").write_text(json.dumps({"layout": LAYOUT, "source": gguf.name}) + "\n")


if __name__ == "__main__":
    export(*sys.argv[1:])
