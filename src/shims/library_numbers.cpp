#include "shims/library.h"
#include "text/jinja/operators.h"

/// The modules numpy, sklearn.metrics, unicodedata and lm_eval.utils.
namespace tare::shims {

using text::jinja::unsupported;

Value object_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b) {
  if (Value counted = counter_binary(python, op, a, b); !counted.is_missing()) return counted;
  unsupported("this operator between objects is not built in");
}

Module* make_numpy(Interpreter& python) {
  return python.heap().make<Module>("numpy");
}

Module* make_sklearn_metrics(Interpreter& python) {
  return python.heap().make<Module>("sklearn.metrics");
}

Module* make_lm_eval_utils(Interpreter& python) {
  return python.heap().make<Module>("lm_eval.utils");
}

Module* make_unicodedata(Interpreter& python) {
  return python.heap().make<Module>("unicodedata");
}

}  // namespace tare::shims
