#include "shims/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shims/library.h"
#include "text/jinja/operators.h"

namespace tare::shims {

using text::jinja::fail;
using text::jinja::type_error;
using text::jinja::unsupported;
using text::jinja::value_error;
using Type = Array::Type;

double pairwise_sum(const double* values, std::size_t size) {
  constexpr std::size_t kLanes = 8, kBlock = 128;
  if (size < kLanes) {
    double sum = -0.0;
    for (std::size_t i = 0; i < size; ++i) sum += values[i];
    return size == 0 ? 0.0 : sum;
  }
  if (size > kBlock) {
    const std::size_t half = size / 2 - size / 2 % kLanes;
    return pairwise_sum(values, half) + pairwise_sum(values + half, size - half);
  }
  double lane[kLanes];
  std::copy_n(values, kLanes, lane);
  std::size_t i = kLanes;
  for (; i + kLanes <= size; i += kLanes)
    for (std::size_t j = 0; j < kLanes; ++j) lane[j] += values[i + j];
  double sum =
      ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; i < size; ++i) sum += values[i];
  return sum;
}

Value Array::at(std::size_t i) const {
  if (type == Type::boolean) return values[i] != 0;
  return type == Type::integer ? Value(static_cast<std::int64_t>(values[i])) : Value(values[i]);
}

Array& array_of(Interpreter& python, const Value& value) {
  if (auto* array = as_kind<Array>(value)) return *array;
  const auto* items = text::jinja::sequence_items(value);
  if (items == nullptr) unsupported("numpy: an array of this is not built in");
  auto type = Type::boolean;
  std::vector<double> values;
  for (const Value& item : *items) {
    if (!item.is_number()) unsupported("numpy: only arrays of numbers are built in");
    if (item.is_real()) type = Type::real;
    if (item.is_int() && type == Type::boolean) type = Type::integer;
    values.push_back(item.as_real());
  }
  if (values.empty()) type = Type::real;
  return *python.heap().make<Array>(type, std::move(values));
}

namespace {

std::vector<double> without_nan(const Array& array) {
  std::vector<double> kept;
  for (const double value : array.values)
    if (!std::isnan(value)) kept.push_back(value);
  return kept;
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  return pairwise_sum(values.data(), values.size()) / static_cast<double>(values.size());
}

Value sum_of(const Array& array) {
  const double sum = pairwise_sum(array.values.data(), array.values.size());
  return array.type == Type::real ? Value(sum) : Value(static_cast<std::int64_t>(sum));
}

/// The first of the largest (or smallest) values; a NaN counts as both.
std::size_t extreme_place(const Array& array, bool largest) {
  if (array.values.empty()) value_error("attempt to get argmax of an empty sequence");
  std::size_t best = 0;
  for (std::size_t i = 1; i < array.values.size() && !std::isnan(array.values[best]); ++i) {
    const double value = array.values[i];
    if (std::isnan(value) || (largest ? value > array.values[best] : value < array.values[best]))
      best = i;
  }
  return best;
}

using Reduction = Value (*)(Interpreter&, Array&);

/// Functions of one array that are methods of it as well.
const std::map<std::string_view, Reduction>& reductions() {
  static const std::map<std::string_view, Reduction> kReductions = {
      {"sum", [](Interpreter&, Array& a) { return sum_of(a); }},
      {"mean", [](Interpreter&, Array& a) { return Value(mean_of(a.values)); }},
      {"argmax",
       [](Interpreter&, Array& a) { return Value(std::int64_t(extreme_place(a, true))); }},
      {"argmin",
       [](Interpreter&, Array& a) { return Value(std::int64_t(extreme_place(a, false))); }},
      {"max", [](Interpreter&, Array& a) { return a.at(extreme_place(a, true)); }},
      {"min", [](Interpreter&, Array& a) { return a.at(extreme_place(a, false)); }},
      {"all",
       [](Interpreter&, Array& a) {
         return Value(std::ranges::all_of(a.values, [](double v) { return v != 0; }));
       }},
      {"any",
       [](Interpreter&, Array& a) {
         return Value(std::ranges::any_of(a.values, [](double v) { return v != 0; }));
       }},
      {"tolist",
       [](Interpreter& python, Array& a) { return python.heap().list(*a.items(python)); }},
  };
  return kReductions;
}

/// Functions of numbers, taken item by item.
using Elementwise = double (*)(double);
const std::map<std::string_view, Elementwise>& elementwise() {
  static const std::map<std::string_view, Elementwise> kFunctions = {
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
  };
  return kFunctions;
}

Value nan_max(Interpreter& python, Arguments& a) {
  const Array& array = array_of(python, argument(a, 0));
  if (array.values.empty()) value_error("zero-size array to reduction operation fmax");
  const std::vector<double> kept = without_nan(array);
  if (kept.empty()) return std::nan("");
  return *std::ranges::max_element(kept);
}

Value nan_sum(Interpreter& python, Arguments& a) {
  const Array& array = array_of(python, argument(a, 0));
  std::vector<double> values = array.values;
  for (double& value : values)
    if (std::isnan(value)) value = 0;
  return sum_of(*python.heap().make<Array>(array.type, std::move(values)));
}

Value is_nan(Interpreter& python, Arguments& a) {
  const Value value = argument(a, 0);
  if (value.is_number()) return std::isnan(value.as_real());
  std::vector<double> found;
  for (const double each : array_of(python, value).values)
    found.push_back(std::isnan(each) ? 1 : 0);
  return python.heap().make<Array>(Type::boolean, std::move(found));
}

/// What numpy.round makes of a bool: a numpy.float16, good for astype(numpy.int32) alone.
struct RoundedFlag final : PyObject {
  explicit RoundedFlag(bool v) : value(v) {}
  [[nodiscard]] std::string_view python_type() const override { return "numpy.float16"; }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name != "astype") return {};
    return python.native("astype", [this](Interpreter&, Arguments& a) -> Value {
      const auto* type = as_kind<TypeObject>(argument(a, 0, "dtype"));
      if (type == nullptr || type->name != "int32") unsupported("numpy: this type is not built in");
      return std::int64_t{value};
    });
  }
  bool value;
};

Value make_int32(Interpreter&, Arguments&) {
  unsupported("numpy.int32() is not built in");
}

/// numpy.round: scaled, rounded to even, scaled back; not what round() does.
Value round_to(Interpreter& python, Arguments& a) {
  const Value value = argument(a, 0), digits = argument(a, 1, "decimals");
  if (value.is_bool() && (digits.is_missing() || digits.as_real() == 0))
    return python.heap().make<RoundedFlag>(value.as_bool());
  if (!value.is_real()) unsupported("numpy.round() is built in for a float alone");
  const double scale = std::pow(10.0, digits.is_missing() ? 0.0 : digits.as_real());
  return std::nearbyint(value.as_real() * scale) / scale;
}

Value make_array(Interpreter& python, Arguments& a) {
  const Value dtype = argument(a, 1, "dtype");
  const Value from = argument(a, 0);
  if (from.is_bool()) return from;
  const Array& array = array_of(python, from);
  auto type = array.type;
  std::vector<double> values = array.values;
  if (!dtype.is_missing()) {
    const auto* wanted = as_kind<TypeObject>(dtype);
    if (wanted == nullptr || (wanted->name != "bool" && wanted->name != "float"))
      unsupported("numpy.array(): this dtype is not built in");
    type = wanted->name == "bool" ? Type::boolean : Type::real;
    if (type == Type::boolean)
      for (double& value : values) value = value != 0 ? 1 : 0;
  }
  return python.heap().make<Array>(type, std::move(values));
}

double apply(BinaryOp op, double x, double y) {
  switch (op) {
    case BinaryOp::add:
      return x + y;
    case BinaryOp::subtract:
      return x - y;
    case BinaryOp::multiply:
      return x * y;
    case BinaryOp::divide:
      return x / y;
    default:
      unsupported("numpy: this operator is not built in");
  }
}

bool apply(Comparison::Op op, double x, double y) {
  using Op = Comparison::Op;
  switch (op) {
    case Op::equal:
      return x == y;
    case Op::not_equal:
      return x != y;
    case Op::less:
      return x < y;
    case Op::less_equal:
      return x <= y;
    case Op::greater:
      return x > y;
    case Op::greater_equal:
      return x >= y;
    default:
      unsupported("numpy: this comparison is not built in");
  }
}

/// Both sides as values of one length: a number stands for as many as are needed.
struct Operands {
  std::vector<double> left, right;
  bool real = false;
};

Operands operands_of(Interpreter& python, const Value& a, const Value& b) {
  Operands both;
  std::vector<double>* sides[] = {&both.left, &both.right};
  const Value* values[] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    if (values[i]->is_number()) {
      both.real = both.real || values[i]->is_real();
      *sides[i] = {values[i]->as_real()};
      continue;
    }
    const Array& array = array_of(python, *values[i]);
    both.real = both.real || array.type == Type::real;
    *sides[i] = array.values;
  }
  const std::size_t size = a.is_number()   ? both.right.size()
                           : b.is_number() ? both.left.size()
                                           : std::max(both.left.size(), both.right.size());
  for (std::vector<double>* side : sides) {
    if (side->size() == 1) side->assign(size, side->front());
    if (side->size() != size) value_error("operands could not be broadcast together");
  }
  return both;
}

bool has_array(const Value& a, const Value& b) {
  return as_kind<Array>(a) != nullptr || as_kind<Array>(b) != nullptr;
}

}  // namespace

Value array_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b) {
  if (!has_array(a, b)) return {};
  const Operands both = operands_of(python, a, b);
  std::vector<double> made;
  for (std::size_t i = 0; i < both.left.size(); ++i)
    made.push_back(apply(op, both.left[i], both.right[i]));
  const bool real = both.real || op == BinaryOp::divide;
  return python.heap().make<Array>(real ? Type::real : Type::integer, std::move(made));
}

Value array_compare(Interpreter& python, Comparison::Op op, const Value& a, const Value& b) {
  if (!has_array(a, b)) return {};
  const Operands both = operands_of(python, a, b);
  std::vector<double> made;
  for (std::size_t i = 0; i < both.left.size(); ++i)
    made.push_back(apply(op, both.left[i], both.right[i]) ? 1 : 0);
  return python.heap().make<Array>(Type::boolean, std::move(made));
}

Value Array::attribute(Interpreter& python, std::string_view name) {
  if (name == "size") return static_cast<std::int64_t>(values.size());
  const auto found = reductions().find(name);
  if (found == reductions().end()) return {};
  return python.native(std::string(name),
                       [this, run = found->second](Interpreter& p, Arguments& a) {
                         expect_arguments(a, 0, 0, "ndarray method");
                         return run(p, *this);
                       });
}

Value Array::item(Interpreter& python, const Value& index) {
  if (const auto* mask = as_kind<Array>(index)) {
    if (mask->values.empty()) return python.heap().make<Array>(type, std::vector<double>());
    if (mask->type != Type::boolean || mask->values.size() != values.size())
      fail(FailureKind::index, "boolean index did not match");
    std::vector<double> kept;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (mask->values[i] != 0) kept.push_back(values[i]);
    return python.heap().make<Array>(type, std::move(kept));
  }
  return python.item(python.heap().list(*items(python)), index);
}

std::optional<std::vector<Value>> Array::items(Interpreter&) {
  std::vector<Value> found;
  for (std::size_t i = 0; i < values.size(); ++i) found.push_back(at(i));
  return found;
}

Module* make_numpy(Interpreter& python) {
  auto* module = python.heap().make<Module>("numpy");
  for (const auto& [name, run] : reductions())
    define(python, *module, name, [run = run](Interpreter& p, Arguments& a) {
      expect_arguments(a, 1, 1, "numpy function");
      return run(p, array_of(p, a.positional[0]));
    });
  for (const auto& [name, run] : elementwise())
    define(python, *module, name, [run = run](Interpreter& p, Arguments& a) -> Value {
      const Value value = argument(a, 0);
      if (value.is_number()) return run(value.as_real());
      std::vector<double> made = array_of(p, value).values;
      std::ranges::transform(made, made.begin(), run);
      return p.heap().make<Array>(Type::real, std::move(made));
    });
  define(python, *module, "array", make_array);
  define(python, *module, "asarray", make_array);
  define(python, *module, "nanmax", nan_max);
  define(python, *module, "nansum", nan_sum);
  define(python, *module, "isnan", is_nan);
  define(python, *module, "round", round_to);
  define(python, *module, "nanmean", [](Interpreter& p, Arguments& a) -> Value {
    return mean_of(without_nan(array_of(p, argument(a, 0))));
  });
  module->members["int32"] =
      python.heap().make<TypeObject>("int32", make_int32, [](const Value&) { return false; });
  module->members["nan"] = std::nan("");
  module->members["NaN"] = std::nan("");
  module->members["inf"] = INFINITY;
  module->members["__version__"] = python.heap().text("2.0");
  return module;
}

}  // namespace tare::shims
