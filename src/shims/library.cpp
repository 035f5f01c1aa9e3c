#include "shims/library.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/python.h"
#include "shims/classes.h"
#include "text/jinja/import.h"
#include "text/jinja/operators.h"

namespace tare::shims {

using text::jinja::type_error;
using text::jinja::unsupported;
using text::jinja::value_error;

void define(Interpreter& python, Module& module, std::string_view name, NativeFunction::Body body) {
  module.members[std::string(name)] = python.native(std::string(name), std::move(body));
}

namespace {

/// A module whose members are all the same harmless thing: type hints, loggers.
struct AnyModule final : PyObject {
  explicit AnyModule(std::string n) : name(std::move(n)) {}
  [[nodiscard]] std::string_view python_type() const override { return "module"; }
  Value attribute(Interpreter& python, std::string_view member) override {
    if (member == "TYPE_CHECKING") return false;
    return python.heap().make<AnyModule>(name + "." + std::string(member));
  }
  Value call(Interpreter&, Arguments) override { return Value::none(); }
  Value item(Interpreter&, const Value&) override { return this; }
  std::string name;
};

struct Logger final : PyObject {
  [[nodiscard]] std::string_view python_type() const override { return "Logger"; }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name == "getLogger")
      return python.native("getLogger", [this](Interpreter&, Arguments&) { return Value(this); });
    return python.native(std::string(name), [](Interpreter&, Arguments&) { return Value::none(); });
  }
};

/// functools.partial.
struct Partial final : PyObject {
  explicit Partial(Arguments a) : fixed(std::move(a)) {}
  [[nodiscard]] std::string_view python_type() const override { return "partial"; }
  Value call(Interpreter& python, Arguments more) override {
    Arguments all{{fixed.positional.begin() + 1, fixed.positional.end()}, fixed.named};
    all.positional.insert(all.positional.end(), more.positional.begin(), more.positional.end());
    for (const auto& given : more.named) {
      std::erase_if(all.named, [&](const auto& entry) { return entry.first == given.first; });
      all.named.push_back(given);
    }
    return python.call(fixed.positional.front(), std::move(all));
  }
  Arguments fixed;  ///< the function first
};

Module* make_functools(Interpreter& python) {
  auto* module = python.heap().make<Module>("functools");
  define(python, *module, "partial", [](Interpreter& p, Arguments& a) -> Value {
    if (a.positional.empty()) type_error("partial() needs a function");
    return p.heap().make<Partial>(a);
  });
  return module;
}

Module* make_string(Interpreter& python) {
  auto* module = python.heap().make<Module>("string");
  const std::string lower = "abcdefghijklmnopqrstuvwxyz", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string digits = "0123456789";
  auto add = [&](std::string_view name, std::string text) {
    module->members[std::string(name)] = python.heap().text(std::move(text));
  };
  add("ascii_lowercase", lower);
  add("ascii_uppercase", upper);
  add("ascii_letters", lower + upper);
  add("digits", digits);
  add("punctuation", R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)");
  add("whitespace", " \t\n\r\x0b\x0c");
  return module;
}

double number(const Arguments& a, std::size_t i) {
  const Value value = argument(a, i);
  if (!value.is_number()) type_error("must be real number");
  return value.as_real();
}

Module* make_math(Interpreter& python) {
  auto* module = python.heap().make<Module>("math");
  define(python, *module, "exp", [](Interpreter&, Arguments& a) -> Value {
    const double e = std::exp(number(a, 0));
    if (std::isinf(e) && !std::isinf(number(a, 0))) unsupported("math.exp() overflows");
    return e;
  });
  define(python, *module, "log", [](Interpreter&, Arguments& a) -> Value {
    if (a.positional.size() != 1) unsupported("math.log() with a base is not built in");
    if (number(a, 0) <= 0) value_error("math domain error");
    return std::log(number(a, 0));
  });
  define(python, *module, "sqrt", [](Interpreter&, Arguments& a) -> Value {
    if (number(a, 0) < 0) value_error("math domain error");
    return std::sqrt(number(a, 0));
  });
  define(python, *module, "isnan",
         [](Interpreter&, Arguments& a) -> Value { return std::isnan(number(a, 0)); });
  module->members["inf"] = INFINITY;
  module->members["nan"] = std::nan("");
  module->members["pi"] = std::numbers::pi;
  return module;
}

Value import_literal(Interpreter& python, const base::Value& value) {
  if (value.is_string()) return python.heap().text(value.as_string());
  if (value.is_sequence()) {
    std::vector<Value> items;
    for (const base::Value& item : value.items()) items.push_back(import_literal(python, item));
    return value.is_tuple() ? python.heap().tuple(std::move(items))
                            : python.heap().list(std::move(items));
  }
  if (!value.is_dict()) return text::jinja::import_value(python.heap(), value);
  auto* dict = python.heap().make<Dict>();
  for (const auto& [key, item] : value.as_dict())
    dict->set(python.heap(), import_literal(python, key), import_literal(python, item));
  return dict;
}

Module* make_ast(Interpreter& python) {
  auto* module = python.heap().make<Module>("ast");
  define(python, *module, "literal_eval", [](Interpreter& p, Arguments& a) -> Value {
    const auto value = base::python::parse_literal(text_argument(a, 0));
    if (!value) unsupported("literal_eval(): " + value.error().text);
    return import_literal(p, *value);
  });
  return module;
}

Value flatten(Interpreter& python, const std::vector<Value>& sources) {
  std::vector<Value> items;
  for (const Value& source : sources)
    for (const Value& item : python.collect(source)) items.push_back(item);
  return &python.iterate(python.heap().list(std::move(items)));
}

/// itertools.chain, which is called and has from_iterable.
struct Chain final : PyObject {
  [[nodiscard]] std::string_view python_type() const override { return "type"; }
  Value call(Interpreter& python, Arguments a) override { return flatten(python, a.positional); }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name != "from_iterable") return {};
    return python.native("from_iterable", [](Interpreter& p, Arguments& a) {
      return flatten(p, p.collect(argument(a, 0)));
    });
  }
};

Module* make_itertools(Interpreter& python) {
  auto* module = python.heap().make<Module>("itertools");
  module->members["chain"] = python.heap().make<Chain>();
  define(python, *module, "combinations", [](Interpreter& p, Arguments& a) -> Value {
    const std::vector<Value> items = p.collect(argument(a, 0));
    if (!argument(a, 1).is_int() || argument(a, 1).as_int() != 2)
      unsupported("itertools.combinations() is built in for pairs alone");
    std::vector<Value> pairs;
    for (std::size_t i = 0; i < items.size(); ++i)
      for (std::size_t j = i + 1; j < items.size(); ++j)
        pairs.push_back(p.heap().tuple({items[i], items[j]}));
    return &p.iterate(p.heap().list(std::move(pairs)));
  });
  return module;
}

Module* make_os_path(Interpreter& python) {
  auto* module = python.heap().make<Module>("os.path");
  define(python, *module, "basename", [](Interpreter& p, Arguments& a) -> Value {
    const std::string path = text_argument(a, 0);
    return p.heap().text(path.substr(path.rfind('/') + 1));
  });
  define(python, *module, "dirname", [](Interpreter& p, Arguments& a) -> Value {
    const std::string path = text_argument(a, 0);
    const std::size_t slash = path.rfind('/');
    return p.heap().text(slash == std::string::npos ? std::string() : path.substr(0, slash));
  });
  return module;
}

/// The environment counts as empty: no result may depend on it.
Module* make_os(Interpreter& python) {
  auto* module = python.heap().make<Module>("os");
  module->members["path"] = make_os_path(python);
  define(python, *module, "getenv", [](Interpreter&, Arguments& a) -> Value {
    const Value otherwise = argument(a, 1, "default");
    return otherwise.is_missing() ? Value::none() : otherwise;
  });
  return module;
}

}  // namespace

Value make_library(Interpreter& python, const std::string& name) {
  using Make = Module* (*)(Interpreter&);
  static const std::map<std::string_view, Make> kModules = {
      {"re", make_re},
      {"regex", make_regex},
      {"random", make_random},
      {"numpy", make_numpy},
      {"collections", make_collections},
      {"datasets", make_datasets},
      {"sklearn", make_sklearn},
      {"sklearn.metrics", make_sklearn_metrics},
      {"lm_eval.utils", make_lm_eval_utils},
      {"lm_eval.filters.extraction", make_lm_eval_filters},
      {"lm_eval.api.filter", make_lm_eval_filters},
      {"sacrebleu", make_sacrebleu},
      {"rouge_score", make_rouge_score},
      {"word2number", make_word2number},
      {"unicodedata", make_unicodedata},
      {"sys", make_sys},
      {"json", make_json},
      {"pathlib", make_pathlib},
      {"functools", make_functools},
      {"string", make_string},
      {"math", make_math},
      {"ast", make_ast},
      {"itertools", make_itertools},
      {"os", make_os},
      {"os.path", make_os_path},
  };
  if (name == "typing" || name == "__future__" || name == "collections.abc")
    return python.heap().make<AnyModule>(name);
  if (name == "logging") return python.heap().make<Logger>();
  if (const auto found = kModules.find(name); found != kModules.end()) return found->second(python);
  unsupported(fmt::format("the module '{}' is not built in", name));
}

Value Interpreter::import(const std::string& module) {
  if (const auto it = imported_.find(module); it != imported_.end()) return it->second;
  if (const auto code = find_module_(module)) {
    auto* made = heap_.make<Module>(module);
    for (const auto& [name, value] : load(*code, module).names)
      if (as_kind<Poison>(value) == nullptr) made->members[name] = value;
    return imported_[module] = made;
  }
  return imported_[module] = make_library(*this, module);
}

}  // namespace tare::shims
