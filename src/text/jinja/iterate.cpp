#include "text/jinja/iterate.h"

#include <fmt/format.h>

#include "base/unicode.h"
#include "text/jinja/operators.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

/// Looks at the list anew for each item: it may grow while it is walked.
Iterator& walk_list(Heap& heap, const List* list) {
  return make_iterator(heap, "list_iterator",
                       [list, i = std::size_t{0}](Heap&, Value& out) mutable {
                         if (i >= list->items.size()) return false;
                         out = list->items[i++];
                         return true;
                       });
}

Iterator& walk_tuple(Heap& heap, const Tuple* tuple) {
  return make_iterator(heap, "tuple_iterator",
                       [tuple, i = std::size_t{0}](Heap&, Value& out) mutable {
                         if (i >= tuple->items.size()) return false;
                         out = tuple->items[i++];
                         return true;
                       });
}

Iterator& walk_string(Heap& heap, const Text& text) {
  return make_iterator(heap, "str_iterator",
                       [text, pos = std::size_t{0}](Heap& h, Value& out) mutable {
                         if (pos >= text->size()) return false;
                         const std::size_t start = pos;
                         base::unicode::decode(*text, pos);
                         out = h.text(text->substr(start, pos - start));
                         return true;
                       });
}

Iterator& walk_view(Heap& heap, const View* view, std::string_view type) {
  const std::size_t size = view->dict->entries().size();
  return make_iterator(heap, type, [view, size, i = std::size_t{0}](Heap& h, Value& out) mutable {
    if (view->dict->entries().size() != size)
      fail(FailureKind::runtime, "dictionary changed size during iteration");
    if (i >= size) return false;
    out = view->at(h, i++);
    return true;
  });
}

Iterator& walk_range(Heap& heap, const Range* range) {
  return make_iterator(
      heap, "range_iterator",
      [range, size = range->size(), i = std::int64_t{0}](Heap&, Value& out) mutable {
        if (i >= size) return false;
        out = range->at(i++);
        return true;
      });
}

Iterator& walk_nothing(Heap& heap) {
  return make_iterator(heap, "generator", [](Heap&, Value&) { return false; });
}

Iterator& walk_object(Heap& heap, const Value& value) {
  Object* object = value.object();
  switch (object->kind) {
    case Object::Kind::list:
      return walk_list(heap, static_cast<List*>(object));
    case Object::Kind::tuple:
      return walk_tuple(heap, static_cast<Tuple*>(object));
    case Object::Kind::dict:
      return walk_view(heap, heap.make<View>(static_cast<Dict*>(object), View::Part::keys),
                       "dict_keyiterator");
    case Object::Kind::view:
      return walk_view(heap, static_cast<View*>(object), "dict_keyiterator");
    case Object::Kind::range:
      return walk_range(heap, static_cast<Range*>(object));
    case Object::Kind::iterator:
      return *static_cast<Iterator*>(object);
    case Object::Kind::loop:
      unsupported("iterating over the loop object itself is not built in");
    case Object::Kind::undefined:
      require_strictly_defined(value);
      return walk_nothing(heap);
    default:
      type_error(fmt::format("'{}' object is not iterable", type_name(value)));
  }
}

Iterator& reverse_items(Heap& heap, std::string_view type, std::vector<Value> items) {
  return make_iterator(heap, type, [items = std::move(items)](Heap&, Value& out) mutable {
    if (items.empty()) return false;
    out = std::move(items.back());
    items.pop_back();
    return true;
  });
}

}  // namespace

Iterator& iterate(Heap& heap, const Value& value) {
  if (value.is_object()) return walk_object(heap, value);
  if (value.is_string()) return walk_string(heap, value.shared_text());
  type_error(fmt::format("'{}' object is not iterable", type_name(value)));
}

bool is_iterable(const Value& value) {
  if (!value.is_object()) return value.is_string();
  switch (value.object()->kind) {
    case Object::Kind::undefined:
      return !static_cast<Undefined*>(value.object())->strict;
    case Object::Kind::list:
    case Object::Kind::tuple:
    case Object::Kind::dict:
    case Object::Kind::range:
    case Object::Kind::view:
    case Object::Kind::iterator:
    case Object::Kind::loop:
      return true;
    default:
      return false;
  }
}

std::vector<Value> collect(Heap& heap, const Value& value) {
  if (const auto* items = sequence_items(value)) {
    heap.step(items->size());
    heap.charge_items(items->size());
    return *items;
  }
  std::vector<Value> items;
  Iterator& iterator = iterate(heap, value);
  for (Value item; iterator.next(heap, item);) {
    heap.step();
    heap.charge_items(1);
    items.push_back(std::move(item));
  }
  return items;
}

Iterator& reversed(Heap& heap, const Value& value) {
  if (value.is_string()) return reverse_items(heap, "reversed", collect(heap, value));
  if (const auto* range = as<Range>(value)) {
    const std::int64_t size = range->size();
    return make_iterator(heap, "range_iterator", [range, i = size](Heap&, Value& out) mutable {
      if (i <= 0) return false;
      out = range->at(--i);
      return true;
    });
  }
  require_strictly_defined(value);
  if (as<List>(value) != nullptr)
    return reverse_items(heap, "list_reverseiterator", collect(heap, value));
  if (as<Tuple>(value) != nullptr) return reverse_items(heap, "reversed", collect(heap, value));
  if (as<Dict>(value) != nullptr || as<View>(value) != nullptr)
    return reverse_items(heap, "dict_reversekeyiterator", collect(heap, value));
  type_error(fmt::format("'{}' object is not reversible", type_name(value)));
}

}  // namespace tare::text::jinja
