#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/heap.h"

namespace tare::text::jinja {

/// iter(): strings give code points, dicts their keys. Raises when `value` cannot be iterated.
Iterator& iterate(Heap& heap, const Value& value);
/// Whether iter() works; a strictly undefined value counts as not iterable.
bool is_iterable(const Value& value);
/// list(): every item, counted as steps.
std::vector<Value> collect(Heap& heap, const Value& value);
/// reversed(); raises for what has no order or, as a generator, no end yet.
Iterator& reversed(Heap& heap, const Value& value);

/// An iterator made of a callable `bool(Heap&, Value& out)`.
template <class Next>
class IteratorOf final : public Iterator {
 public:
  IteratorOf(std::string_view python_type, Next next)
      : Iterator(python_type), next_(std::move(next)) {}
  bool next(Heap& heap, Value& out) override {
    const Heap::Level level(heap);  // a lazy filter over a lazy filter over ...
    return next_(heap, out);
  }

 private:
  Next next_;
};

/// A lazy sequence, as a Python generator: `next` runs only when an item is asked for.
template <class Next>
Iterator& make_iterator(Heap& heap, std::string_view python_type, Next next) {
  return *heap.make<IteratorOf<Next>>(python_type, std::move(next));
}

}  // namespace tare::text::jinja
