#include "base/value.h"

#include <algorithm>

namespace tare::base {
namespace {

/// The value as a number when Python would compare it as one (bool counts as int).
bool numeric(const Value& v) {
  return v.is_bool() || v.is_number();
}

bool numbers_equal(const Value& a, const Value& b) {
  if (a.is_real() || b.is_real()) {
    auto real = [](const Value& v) { return v.is_bool() ? double(v.as_bool()) : v.as_number(); };
    return real(a) == real(b);
  }
  auto integer = [](const Value& v) {
    return v.is_bool() ? std::int64_t(v.as_bool()) : v.as_int();
  };
  return integer(a) == integer(b);
}

bool dicts_equal(const Dict& a, const Dict& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const Dict::Entry& entry) {
    const Value* other = b.find(entry.first);
    return other != nullptr && *other == entry.second;
  });
}

}  // namespace

const Value* Dict::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.first.is_string() && entry.first.as_string() == key) return &entry.second;
  return nullptr;
}

const Value* Dict::find(const Value& key) const {
  for (const Entry& entry : entries_)
    if (entry.first == key) return &entry.second;
  return nullptr;
}

void Dict::set(Value key, Value value) {
  for (Entry& entry : entries_) {
    if (!(entry.first == key)) continue;
    entry.second = std::move(value);
    return;
  }
  entries_.emplace_back(std::move(key), std::move(value));
}

bool Dict::erase(std::string_view key) {
  return std::erase_if(entries_, [&](const Entry& entry) {
           return entry.first.is_string() && entry.first.as_string() == key;
         }) != 0;
}

std::size_t Dict::size() const {
  return entries_.size();
}
std::vector<Dict::Entry>::const_iterator Dict::begin() const {
  return entries_.begin();
}
std::vector<Dict::Entry>::const_iterator Dict::end() const {
  return entries_.end();
}

Value Value::tuple(List items) {
  Value value;
  value.data_ = Tuple{std::make_shared<const List>(std::move(items))};
  return value;
}

double Value::as_number() const {
  return is_int() ? static_cast<double>(as_int()) : as_real();
}

const std::string& Value::as_string() const {
  return *std::get<std::shared_ptr<const std::string>>(data_);
}

const List& Value::items() const {
  if (is_tuple()) return *std::get<Tuple>(data_).items;
  return *std::get<std::shared_ptr<const List>>(data_);
}

const Dict& Value::as_dict() const {
  return *std::get<std::shared_ptr<const Dict>>(data_);
}

const Value* Value::find(std::string_view key) const {
  return is_dict() ? as_dict().find(key) : nullptr;
}

bool Value::truthy() const {
  switch (kind()) {
    case Kind::none:
      return false;
    case Kind::boolean:
      return as_bool();
    case Kind::integer:
      return as_int() != 0;
    case Kind::real:
      return as_real() != 0.0;
    case Kind::string:
      return !as_string().empty();
    case Kind::list:
    case Kind::tuple:
      return !items().empty();
    case Kind::dict:
      return !as_dict().empty();
    case Kind::datetime:
      return true;
  }
  return false;
}

std::string_view Value::type_name() const {
  switch (kind()) {
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::real:
      return "float";
    case Kind::string:
      return "str";
    case Kind::list:
      return "list";
    case Kind::tuple:
      return "tuple";
    case Kind::dict:
      return "dict";
    case Kind::datetime:
      return "datetime";
  }
  return "?";
}

bool operator==(const Value& a, const Value& b) {
  if (numeric(a) && numeric(b)) return numbers_equal(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::none:
      return true;
    case Value::Kind::string:
      return a.as_string() == b.as_string();
    case Value::Kind::list:
    case Value::Kind::tuple:
      return a.items() == b.items();
    case Value::Kind::dict:
      return dicts_equal(a.as_dict(), b.as_dict());
    case Value::Kind::datetime:
      return a.as_datetime() == b.as_datetime();
    default:
      return false;
  }
}

}  // namespace tare::base
