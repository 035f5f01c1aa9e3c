#pragma once

#include <string_view>

#include "shims/builtins.h"

namespace tare::shims {

/// Modules of Python's library and of packages, each as far as helper functions use it.
Module* make_re(Interpreter& python);
Module* make_random(Interpreter& python);
Module* make_numpy(Interpreter& python);
Module* make_collections(Interpreter& python);
Module* make_datasets(Interpreter& python);
Module* make_sklearn(Interpreter& python);
Module* make_sklearn_metrics(Interpreter& python);
Module* make_lm_eval_utils(Interpreter& python);
Module* make_json(Interpreter& python);
Module* make_pathlib(Interpreter& python);
Module* make_sacrebleu(Interpreter& python);
Module* make_rouge_score(Interpreter& python);
Module* make_word2number(Interpreter& python);
Module* make_unicodedata(Interpreter& python);
Module* make_sys(Interpreter& python);
/// The package regex, as far as it is re.
Module* make_regex(Interpreter& python);
/// path / name; missing for other values.
Value path_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b);

/// Adds a function to a module.
void define(Interpreter& python, Module& module, std::string_view name, NativeFunction::Body body);

}  // namespace tare::shims
