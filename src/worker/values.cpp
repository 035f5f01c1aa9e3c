#include "worker/values.h"

#include <algorithm>

#include "base/python.h"

namespace tare::worker {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;

constexpr const char* kTuple = "$tuple";
constexpr const char* kDict = "$dict";
constexpr const char* kDateTime = "$datetime";

Value tag(const char* name, Value content) {
  Dict dict;
  dict.set(name, std::move(content));
  return dict;
}

List tagged_items(const List& items) {
  List out;
  out.reserve(items.size());
  for (const Value& item : items) out.push_back(tagged(item));
  return out;
}

bool is_plain_key(const Value& key) {
  return key.is_string() && !key.as_string().starts_with('$');
}

Value tagged_dict(const Dict& dict) {
  const bool plain =
      std::ranges::all_of(dict, [](const Dict::Entry& entry) { return is_plain_key(entry.first); });
  if (plain) {
    Dict out;
    for (const auto& [key, item] : dict) out.set(key, tagged(item));
    return out;
  }
  List pairs;
  for (const auto& [key, item] : dict) pairs.emplace_back(List{tagged(key), tagged(item)});
  return tag(kDict, std::move(pairs));
}

Result<List> untagged_items(const List& items) {
  List out;
  out.reserve(items.size());
  for (const Value& item : items) {
    TARE_TRY(Value plain, untagged(item));
    out.push_back(std::move(plain));
  }
  return out;
}

base::Failure bad_tag(const std::string& name, const Value& content) {
  return base::work_failed("the tag " + name + " can't hold a " + std::string(content.type_name()));
}

Result<Value> untagged_pairs(const List& pairs) {
  Dict out;
  for (const Value& pair : pairs) {
    if (!pair.is_list() || pair.items().size() != 2) return bad_tag(kDict, pair);
    TARE_TRY(Value key, untagged(pair.items()[0]));
    TARE_TRY(Value item, untagged(pair.items()[1]));
    out.set(std::move(key), std::move(item));
  }
  return Value(std::move(out));
}

Result<Value> untagged_single(const std::string& name, const Value& content) {
  if (name == kDateTime) {
    if (!content.is_int()) return bad_tag(name, content);
    return Value(base::DateTime{content.as_int()});
  }
  if (!content.is_list()) return bad_tag(name, content);
  if (name == kDict) return untagged_pairs(content.items());
  if (name != kTuple) return base::work_failed("there is no tag " + name);
  TARE_TRY(List items, untagged_items(content.items()));
  return Value::tuple(std::move(items));
}

Result<Value> untagged_dict(const Dict& dict) {
  Dict out;
  for (const auto& [key, item] : dict) {
    if (!is_plain_key(key)) {
      if (dict.size() == 1) return untagged_single(base::python::str(key), item);
      return base::work_failed("a tag stands beside other keys: " + base::python::str(key));
    }
    TARE_TRY(Value plain, untagged(item));
    out.set(key, std::move(plain));
  }
  return Value(std::move(out));
}

}  // namespace

Value tagged(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::list:
      return tagged_items(value.items());
    case Value::Kind::tuple:
      return tag(kTuple, tagged_items(value.items()));
    case Value::Kind::dict:
      return tagged_dict(value.as_dict());
    case Value::Kind::datetime:
      return tag(kDateTime, value.as_datetime().microseconds);
    default:
      return value;
  }
}

Result<Value> untagged(const Value& value) {
  if (value.is_list()) {
    TARE_TRY(List items, untagged_items(value.items()));
    return Value(std::move(items));
  }
  return value.is_dict() ? untagged_dict(value.as_dict()) : Result<Value>(value);
}

}  // namespace tare::worker
