"""What each library is given of tare's generation settings. Usage: parameters_test.py"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "src/backend/python/worker"))
import parameters  # noqa: E402

GREEDY = {"parameters": "given", "max_tokens": 256, "sample": False}
FIX = {"parameters": "given", "max_tokens": 256, "sample": True, "temperature": 0.7, "top_p": 0.9, "top_k": 50,
       "repetition_penalty": 1.1}


class Parameters(unittest.TestCase):
    def test_deterministic_is_greedy_without_any_penalty(self):
        self.assertEqual(parameters.transformers_arguments(GREEDY),
                         {"max_new_tokens": 256, "do_sample": False, "repetition_penalty": 1.0})
        self.assertEqual(parameters.vllm_arguments(GREEDY),
                         {"max_tokens": 256, "temperature": 0.0, "repetition_penalty": 1.0})

    def test_fix_is_given_wholly(self):
        self.assertEqual(parameters.transformers_arguments(FIX),
                         {"max_new_tokens": 256, "do_sample": True, "temperature": 0.7, "top_p": 0.9, "top_k": 50,
                          "repetition_penalty": 1.1})
        self.assertEqual(parameters.vllm_arguments(FIX),
                         {"max_tokens": 256, "temperature": 0.7, "top_p": 0.9, "top_k": 50, "min_p": 0.0,
                          "repetition_penalty": 1.1})

    def test_what_is_not_set_is_switched_off_where_a_library_has_a_default(self):
        plain = {"parameters": "given", "max_tokens": 8, "sample": True, "temperature": 1.0}
        given = parameters.transformers_arguments(plain)
        self.assertEqual((given["top_k"], given["top_p"], given["repetition_penalty"]), (0, 1.0, 1.0))
        self.assertNotIn("min_p", given)
        self.assertEqual(parameters.transformers_arguments({**plain, "min_p": 0.1})["min_p"], 0.1)
        self.assertEqual(parameters.vllm_arguments(plain)["top_k"], 0)

    def test_the_length_alone(self):
        length = {**FIX, "parameters": "given_length"}
        self.assertEqual(parameters.transformers_arguments(length), {"max_new_tokens": 256})
        self.assertEqual(parameters.vllm_arguments(length), {"max_tokens": 256})

    def test_nothing(self):
        nothing = {**FIX, "parameters": "backend"}
        self.assertEqual(parameters.transformers_arguments(nothing), {})
        self.assertEqual(parameters.vllm_arguments(nothing), {})


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed, 0 skipped")
    sys.exit(1 if wrong else 0)
