"""Stand-ins for what lm-eval's tasks import for scoring only, so that requests can be built without it."""

import importlib.abc
import importlib.machinery
import importlib.metadata
import sys
import unittest.mock

# Packages that only scoring needs and that may be absent: building requests does not run them.
SCORING = ("sympy", "spacy", "math_verify", "antlr4", "lark", "tarski", "pddl", "kstar_planner", "statsmodels", "bert_score",
           "bleurt", "jieba", "fuzzywuzzy", "rouge", "emoji", "jsonschema", "neologdn", "fugashi", "MeCab", "langdetect",
           "immutabledict", "wonderwords", "pymorphy2", "pymorphy3", "razdel", "errant", "unbabel_comet", "comet", "mecab", "latex2sympy2_extended",
           "latex2sympy2", "rouge_score", "transformers.data.metrics", "nemo_text_processing", "openai", "zhconv", "iso639")


class Stand(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the absent packages of SCORING: every name in them exists and does nothing."""

    def find_spec(self, name, path=None, target=None):
        if any(name == package or name.startswith(package + ".") for package in SCORING):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = unittest.mock.MagicMock(name=spec.name)
        module.Language = type("Language", (), {})  # dill asks for it by isinstance
        module.__spec__, module.__path__, module.__name__, module.__version__ = spec, [], spec.name, "9.9"
        return module

    def exec_module(self, module):
        pass


def stand_in():
    """What lm-eval imports for scoring only: absent packages, and metrics that evaluate would download."""
    sys.meta_path.append(Stand())
    version = importlib.metadata.version
    known = {package.replace("_", "-") for package in SCORING} | {"antlr4-python3-runtime"}

    def version_of(package):
        try:
            return version(package)
        except importlib.metadata.PackageNotFoundError:
            if package.replace("_", "-") in known:
                return "4.11" if package.startswith("antlr4") else "9.9"
            raise

    importlib.metadata.version = version_of
    import evaluate
    evaluate.load = lambda *_, **__: unittest.mock.MagicMock()
