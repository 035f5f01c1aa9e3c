#include <fmt/format.h>

#include "base/json.h"
#include "base/python_random.h"
#include "shims/convert.h"
#include "shims/library.h"
#include "text/jinja/dicts.h"
#include "text/jinja/operators.h"

/// The modules random, collections and json.
namespace tare::shims {
namespace {

using text::jinja::fail;
using text::jinja::type_error;
using text::jinja::unsupported;
using text::jinja::value_error;

/// random.Random, and the module itself with the seed that lm-eval sets.
struct Random final : PyObject {
  explicit Random(std::int64_t seed) : generator(seed) {}
  [[nodiscard]] std::string_view python_type() const override { return "Random"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  base::PythonRandom generator;
};

Value shuffle(Random& random, const Arguments& a) {
  auto* list = as<List>(argument(a, 0));
  if (list == nullptr) type_error("shuffle() needs a list");
  const std::vector<Value> before = list->items;
  const auto order = random.generator.shuffled(before.size());
  for (std::size_t i = 0; i < order.size(); ++i) list->items[i] = before[order[i]];
  return Value::none();
}

Value sample(Interpreter& python, Random& random, const Arguments& a) {
  const std::vector<Value> from = python.collect(argument(a, 0, "population"));
  const Value count = argument(a, 1, "k");
  if (!count.is_integral()) type_error("sample() needs a count");
  if (count.as_int() < 0 || count.as_int() > static_cast<std::int64_t>(from.size()))
    value_error("Sample larger than population or is negative");
  std::vector<Value> chosen;
  for (const std::size_t i :
       random.generator.sample(from.size(), static_cast<std::size_t>(count.as_int())))
    chosen.push_back(from[i]);
  return python.heap().list(std::move(chosen));
}

Value choice(Interpreter& python, Random& random, const Arguments& a) {
  const std::vector<Value> from = python.collect(argument(a, 0));
  if (from.empty()) fail(FailureKind::index, "Cannot choose from an empty sequence");
  return from[random.generator.below(from.size())];
}

Value Random::attribute(Interpreter& python, std::string_view name) {
  using Body = Value (*)(Interpreter&, Random&, const Arguments&);
  static const std::map<std::string_view, Body> kMethods = {
      {"shuffle", [](Interpreter&, Random& r, const Arguments& a) { return shuffle(r, a); }},
      {"sample", sample},
      {"choice", choice},
      {"random",
       [](Interpreter&, Random& r, const Arguments&) { return Value(r.generator.random()); }},
      {"seed",
       [](Interpreter&, Random& r, const Arguments& a) {
         if (!argument(a, 0).is_int()) unsupported("random.seed() without an int is not built in");
         r.generator = base::PythonRandom(argument(a, 0).as_int());
         return Value::none();
       }},
  };
  const auto found = kMethods.find(name);
  if (found == kMethods.end()) return {};
  return python.native(
      std::string(name),
      [this, body = found->second](Interpreter& p, Arguments& a) { return body(p, *this, a); });
}

/// collections.Counter and defaultdict: dicts with a value for a key that is not there. Only what
/// does not need them to be real dicts is built in.
struct CountingDict final : PyObject {
  CountingDict(Dict* of, Value f) : dict(of), factory(std::move(f)) {}
  [[nodiscard]] std::string_view python_type() const override {
    return factory.is_missing() ? "Counter" : "defaultdict";
  }
  Value item(Interpreter& python, const Value& key) override {
    if (const Value* found = dict->find(python.heap(), key)) return *found;
    if (factory.is_missing()) return std::int64_t{0};
    const Value made = python.call(factory, std::vector<Value>{});
    dict->set(python.heap(), key, made);
    return made;
  }
  void set_item(Interpreter& python, const Value& key, const Value& value) override {
    dict->set(python.heap(), key, value);
  }
  std::optional<std::vector<Value>> items(Interpreter& python) override {
    return python.collect(dict);
  }
  [[nodiscard]] std::optional<std::size_t> length() const override {
    return dict->entries().size();
  }
  Value attribute(Interpreter& python, std::string_view name) override;
  Dict* dict;
  Value factory;  ///< missing: a Counter
};

Value most_common(Interpreter& python, CountingDict& counter, const Arguments& a) {
  std::vector<Value> pairs;
  for (const auto& [key, value] : counter.dict->entries())
    pairs.push_back(python.heap().tuple({key, value}));
  const Value by_count = python.native("by_count", [](Interpreter& p, Arguments& pair) {
    return p.item(argument(pair, 0), std::int64_t{1});
  });
  pairs = sorted_by(python, std::move(pairs), by_count, true);
  if (const Value count = argument(a, 0, "n"); count.is_int())
    pairs.resize(std::min(pairs.size(),
                          static_cast<std::size_t>(std::max<std::int64_t>(count.as_int(), 0))));
  return python.heap().list(std::move(pairs));
}

Value CountingDict::attribute(Interpreter& python, std::string_view name) {
  if (name == "most_common" && factory.is_missing())
    return python.native("most_common",
                         [this](Interpreter& p, Arguments& a) { return most_common(p, *this, a); });
  if (name == "items" || name == "keys" || name == "values" || name == "get")
    return python.attribute(dict, std::string(name));
  return {};
}

Value counter_of(Interpreter& python, const Arguments& a) {
  auto* dict = python.heap().make<Dict>();
  if (const Value from = argument(a, 0); !from.is_missing())
    for (const Value& item : python.collect(from)) {
      const Value* found = dict->find(python.heap(), item);
      dict->set(python.heap(), item, found != nullptr ? found->as_int() + 1 : std::int64_t{1});
    }
  return python.heap().make<CountingDict>(dict, Value());
}

/// Counter & Counter: the smaller count of each, without zeros.
Value common_counts(Interpreter& python, const CountingDict& a, const CountingDict& b) {
  auto* dict = python.heap().make<Dict>();
  for (const auto& [key, count] : a.dict->entries())
    if (const Value* other = b.dict->find(python.heap(), key)) {
      const std::int64_t least = std::min(count.as_int(), other->as_int());
      if (least > 0) dict->set(python.heap(), key, least);
    }
  return python.heap().make<CountingDict>(dict, Value());
}

}  // namespace

Value counter_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b) {
  const auto* left = as_kind<CountingDict>(a);
  const auto* right = as_kind<CountingDict>(b);
  if (left == nullptr || right == nullptr || op != BinaryOp::bit_and) return {};
  return common_counts(python, *left, *right);
}

Module* make_random(Interpreter& python) {
  auto* module = python.heap().make<Module>("random");
  auto* global = python.heap().make<Random>(0);
  for (const std::string_view name : {"shuffle", "sample", "choice", "random", "seed"})
    module->members[std::string(name)] = global->attribute(python, name);
  define(python, *module, "Random", [](Interpreter& p, Arguments& a) -> Value {
    if (!argument(a, 0, "x").is_int()) unsupported("Random() without an int is not built in");
    return p.heap().make<Random>(argument(a, 0, "x").as_int());
  });
  return module;
}

Module* make_collections(Interpreter& python) {
  auto* module = python.heap().make<Module>("collections");
  define(python, *module, "Counter", [](Interpreter& p, Arguments& a) { return counter_of(p, a); });
  define(python, *module, "OrderedDict", [](Interpreter& p, Arguments& a) -> Value {
    expect_arguments(a, 0, 1, "OrderedDict");
    auto* dict = p.heap().make<Dict>();
    if (a.positional.empty()) return dict;
    const Value pairs = p.heap().list(p.collect(a.positional[0]));
    text::jinja::update_dict(p.heap(), *dict, pairs, {});
    return dict;
  });
  define(python, *module, "defaultdict", [](Interpreter& p, Arguments& a) -> Value {
    return p.heap().make<CountingDict>(p.heap().make<Dict>(), argument(a, 0));
  });
  return module;
}

Module* make_json(Interpreter& python) {
  auto* module = python.heap().make<Module>("json");
  define(python, *module, "loads", [](Interpreter& p, Arguments& a) -> Value {
    const auto value = base::json::parse(text_argument(a, 0));
    if (!value) value_error(value.error().text);
    return copy_in(p, *value);
  });
  define(python, *module, "load", [](Interpreter& p, Arguments& a) -> Value {
    const auto* file = as_kind<File>(argument(a, 0));
    if (file == nullptr) unsupported("json.load() of anything but an open file is not built in");
    const auto value = base::json::parse(file->content);
    if (!value) value_error(value.error().text);
    return copy_in(p, *value);
  });
  define(python, *module, "dumps", [](Interpreter& p, Arguments& a) -> Value {
    if (a.positional.size() != 1) type_error("dumps() takes one value");
    base::json::Style style{-1, true};
    for (const auto& [name, value] : a.named) {
      if (name == "ensure_ascii")
        style.ascii_only = p.truthy(value);
      else if (name == "indent" && value.is_int())
        style.indent = static_cast<int>(value.as_int());
      else
        unsupported(fmt::format("json.dumps({}=...) is not built in", name));
    }
    return p.heap().text(base::json::dump(copy_out(p, a.positional[0]), style));
  });
  return module;
}

}  // namespace tare::shims
