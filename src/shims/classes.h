#pragma once

#include <map>
#include <string>
#include <string_view>

#include "shims/builtins.h"

namespace tare::shims {

/// A class written in Python, or one of lm-eval's that helpers derive theirs from. Single
/// inheritance; no metaclasses, decorators, properties or special methods but __init__.
struct Class final : PyObject {
  Class(std::string n, Class* b) : name(std::move(n)), base(b) {}
  [[nodiscard]] std::string_view python_type() const override { return "type"; }
  /// An instance.
  Value call(Interpreter& python, Arguments arguments) override;
  Value attribute(Interpreter& python, std::string_view member) override;
  std::string name;
  Class* base;  ///< null: object
  std::map<std::string, Value, std::less<>> members;
  /// What a class attribute is computed from, when it is first asked for: such a table may be
  /// large and not be needed.
  struct Late {
    const Expr* expression;
    Scope* scope;
  };
  std::map<std::string, Late, std::less<>> late;
};

struct Instance final : PyObject {
  explicit Instance(Class* c) : type(c) {}
  [[nodiscard]] std::string_view python_type() const override { return type->name; }
  Value attribute(Interpreter& python, std::string_view name) override;
  Class* type;
  std::map<std::string, Value, std::less<>> fields;
};

/// super() of the method that runs.
Value super_of(Interpreter& python, Arguments& arguments);

/// lm_eval.filters.extraction and lm_eval.api.filter: Filter and RegexFilter, as bases.
Module* make_lm_eval_filters(Interpreter& python);

/// What a task's `filter` names: makes the filter with the named arguments and applies it to the
/// positional ones.
Value apply_filter(Interpreter& python, const Value& filter, Arguments arguments);

}  // namespace tare::shims
