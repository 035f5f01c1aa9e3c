#include "text/jinja/heap.h"

#include <fmt/format.h>

#include "base/python.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {

Value Heap::text(std::string text, bool markup) {
  charge(text.size());
  return Value::text(std::make_shared<const std::string>(std::move(text)), markup);
}

void Heap::charge_items(std::size_t count) {
  if (count > options_.max_memory_bytes / sizeof(Value)) out_of_memory();
  charge(count * sizeof(Value));
}

Value Heap::list(std::vector<Value> items) {
  charge_items(items.size());
  return make<List>(std::move(items));
}

Value Heap::tuple(std::vector<Value> items) {
  charge_items(items.size());
  return make<Tuple>(std::move(items));
}

Value Heap::undefined(std::string message) {
  return make<Undefined>(options_.strict_undefined, std::move(message));
}

Value Heap::lenient_undefined(std::string message) {
  return make<Undefined>(false, std::move(message));
}

Value Heap::undefined_name(std::string_view name) {
  return undefined(base::python::repr(name) + " is undefined");
}

Value Heap::undefined_member(const Value& owner, const Value& name) {
  const std::string shown = repr(*this, name);
  const std::string of = owner_name(owner);
  if (!name.is_string()) return undefined(fmt::format("{} has no element {}", of, shown));
  return undefined(
      fmt::format("{} has no attribute {}", base::python::repr(std::string_view(of)), shown));
}

void Heap::too_deep(Heap& heap) {
  --heap.depth_;
  fail(FailureKind::recursion,
       fmt::format("the template nests calls or values more than {} deep", kMaxDepth));
}

void Heap::out_of_memory() const {
  fail(FailureKind::limit,
       fmt::format("the template creates more than {} bytes of values", options_.max_memory_bytes));
}

void Heap::out_of_steps() const {
  fail(FailureKind::limit, fmt::format("the template takes more than {} steps; a loop may be "
                                       "endless or its range too large",
                                       options_.max_steps));
}

}  // namespace tare::text::jinja
