#include "text/jinja/loop.h"

#include <fmt/format.h>

#include <array>

#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {
namespace {

bool has_length(const Value& value) {
  if (value.is_string()) return true;
  const Object* object = value.object();
  if (object == nullptr) return false;
  return object->kind != Object::Kind::iterator && object->kind != Object::Kind::undefined;
}

/// Iterates over a list of its own.
Iterator& iterate_items(Heap& heap, std::vector<Value> items) {
  return iterate(heap, heap.list(std::move(items)));
}

struct Attribute {
  std::string_view name;
  Value (*read)(Heap&, Loop&);
};

Value neighbour(Heap& heap, const Value& item, std::string_view none) {
  return item.is_missing() ? heap.undefined(std::string(none)) : item;
}

constexpr std::array<Attribute, 11> kAttributes = {{
    {"index", [](Heap&, Loop& l) { return Value(l.index0 + 1); }},
    {"index0", [](Heap&, Loop& l) { return Value(l.index0); }},
    {"revindex", [](Heap& h, Loop& l) { return Value(l.length(h) - l.index0); }},
    {"revindex0", [](Heap& h, Loop& l) { return Value(l.length(h) - l.index0 - 1); }},
    {"first", [](Heap&, Loop& l) { return Value(l.index0 == 0); }},
    {"last", [](Heap& h, Loop& l) { return Value(l.peek(h).is_missing()); }},
    {"length", [](Heap& h, Loop& l) { return Value(l.length(h)); }},
    {"depth", [](Heap&, Loop& l) { return Value(std::int64_t{l.depth0} + 1); }},
    {"depth0", [](Heap&, Loop& l) { return Value(std::int64_t{l.depth0}); }},
    {"previtem",
     [](Heap& h, Loop& l) { return neighbour(h, l.before, "there is no previous item"); }},
    {"nextitem", [](Heap& h, Loop& l) { return neighbour(h, l.peek(h), "there is no next item"); }},
}};

Value cycle(Call& call) {
  if (call.args.empty()) type_error("no items for cycling given");
  const auto index = static_cast<std::size_t>(as<Loop>(call.self)->index0);
  return call.args[index % call.args.size()];
}

Value changed(Call& call) {
  auto& loop = *as<Loop>(call.self);
  const Value now = call.heap.tuple(call.args);
  if (!loop.last_changed.is_missing() && equal(call.heap, loop.last_changed, now)) return false;
  loop.last_changed = now;
  return true;
}

constexpr std::array<Builtin, 2> kMethods = {{
    {"cycle", cycle, 0, {}, Builtin::variadic},
    {"changed", changed, 0, {}, Builtin::variadic},
}};

}  // namespace

bool Loop::next(Heap& heap, Value& out) {
  Value item = std::exchange(after, Value());
  if (item.is_missing() && !iterator->next(heap, item)) return false;
  ++index0;
  before = std::move(current);
  current = item;
  out = std::move(item);
  return true;
}

const Value& Loop::peek(Heap& heap) {
  if (after.is_missing()) iterator->next(heap, after);
  return after;
}

std::int64_t Loop::length(Heap& heap) {
  if (length_) return *length_;
  if (has_length(iterable)) {
    length_ = length_of(iterable);
  } else {
    std::vector<Value> rest = collect(heap, iterator);
    const auto ahead = static_cast<std::int64_t>(rest.size()) + (after.is_missing() ? 0 : 1);
    iterator = &iterate_items(heap, std::move(rest));
    length_ = index0 + 1 + ahead;
  }
  return *length_;
}

Value loop_attribute(Heap& heap, Loop& loop, std::string_view name) {
  for (const Attribute& attribute : kAttributes)
    if (attribute.name == name) return attribute.read(heap, loop);
  return {};
}

std::string loop_repr(Heap& heap, Loop& loop) {
  return fmt::format("<LoopContext {}/{}>", loop.index0 + 1, loop.length(heap));
}

std::span<const Builtin> loop_methods() {
  return kMethods;
}

}  // namespace tare::text::jinja
