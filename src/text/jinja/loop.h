#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/jinja/heap.h"

namespace tare::text::jinja {

struct For;
struct Frame;

/// The variable `loop`: where a for loop stands. It looks one item ahead only when it is asked to.
struct Loop : Object {
  static constexpr Kind kKind = Kind::loop;
  Loop(Iterator& over, Value source, int level)
      : Object(kKind), iterator(&over), iterable(std::move(source)), depth0(level) {}

  /// Moves to the next item.
  bool next(Heap& heap, Value& out);
  std::int64_t length(Heap& heap);
  /// The item after the current one, or missing.
  const Value& peek(Heap& heap);

  Iterator* iterator;
  Value iterable;
  int depth0;
  std::int64_t index0 = -1;
  Value before, current, after;
  Value last_changed;              ///< what changed() was last given
  const For* recursive = nullptr;  ///< the loop to run again when `loop` is called
  Frame* closure = nullptr;        ///< the frame around a recursive loop

 private:
  std::optional<std::int64_t> length_;
};

/// loop.index and the like; missing when there is no such attribute.
Value loop_attribute(Heap& heap, Loop& loop, std::string_view name);
std::string loop_repr(Heap& heap, Loop& loop);

}  // namespace tare::text::jinja
