"""Texts and tokens by a model's own Hugging Face tokenizer."""

import functools


class Texts:
    """Tokenizer of a folder. Special tokens in a text are read as such, as Hugging Face does."""

    def __init__(self, folder):
        from transformers import AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder)

    def tokenize(self, texts, specials):
        return self.tokenizer(texts, add_special_tokens=specials, verbose=False).input_ids

    def detokenize(self, token_lists, specials):
        decode = functools.partial(
            self.tokenizer.decode, skip_special_tokens=not specials, clean_up_tokenization_spaces=False
        )
        return [decode(tokens) for tokens in token_lists]

    def describe(self):
        tokenizer = self.tokenizer
        prefix = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        template = tokenizer.chat_template
        return {
            "bos": tokenizer.bos_token_id,
            "eos": [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id],
            "prefix": prefix,
            "prefix_text": "" if prefix is None else self.detokenize([[prefix]], True)[0],
            "end_text": tokenizer.eos_token or "",
            "chat_template": template if isinstance(template, str) else None,
            "vocabulary": len(tokenizer),
        }


class TokenizerOnly(Texts):
    """For plans and merges: no weights are loaded, nothing is scored or generated."""

    def __init__(self, folder):
        super().__init__(folder)
        from transformers import AutoConfig

        self.config = AutoConfig.from_pretrained(folder)

    def describe(self):
        return {
            **super().describe(),
            "context_length": context_length(self.config),
            "capabilities": {"score": False, "generate": False},
            "settings": {},
            "generation": {},
        }


def context_length(config):
    """Tokens; 0 where the model's configuration sets no limit."""
    return getattr(config.get_text_config(), "max_position_embeddings", None) or 0
