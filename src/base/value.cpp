#include "base/value.h"

#include <algorithm>

namespace tare::base {
namespace {

/// From this many entries on a Dict keeps an index.
constexpr std::size_t kIndexFrom = 16;

/// The value as a number when Python would compare it as one (bool counts as int).
bool numeric(const Value& v) {
  return v.is_bool() || v.is_number();
}

std::int64_t integer(const Value& v) {
  return v.is_bool() ? std::int64_t{v.as_bool()} : v.as_int();
}

/// Exact, also where the integer has more digits than a double.
bool integer_equals_real(std::int64_t i, double r) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  return r >= -kTwoTo63 && r < kTwoTo63 && static_cast<double>(i) == r &&
         static_cast<std::int64_t>(r) == i;
}

bool numbers_equal(const Value& a, const Value& b) {
  if (a.is_real() && b.is_real()) return a.as_real() == b.as_real();
  if (a.is_real()) return integer_equals_real(integer(b), a.as_real());
  if (b.is_real()) return integer_equals_real(integer(a), b.as_real());
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

std::size_t Dict::position(std::string_view key) const {
  if (!index_.empty()) {
    const auto found = index_.find(key);
    return found == index_.end() ? entries_.size() : found->second;
  }
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& candidate) {
    return candidate.first.is_string() && candidate.first.as_string() == key;
  });
  return static_cast<std::size_t>(entry - entries_.begin());
}

std::size_t Dict::position(const Value& key) const {
  if (key.is_string()) return position(std::string_view(key.as_string()));
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& candidate) { return candidate.first == key; });
  return static_cast<std::size_t>(entry - entries_.begin());
}

void Dict::index_from(std::size_t first) {
  for (std::size_t i = first; i < entries_.size(); ++i)
    if (entries_[i].first.is_string()) index_.emplace(entries_[i].first.as_string(), i);
}

const Value* Dict::at(std::size_t position) const {
  return position == entries_.size() ? nullptr : &entries_[position].second;
}

const Value* Dict::find(std::string_view key) const {
  return at(position(key));
}

void Dict::set(Value key, Value value) {
  const std::size_t at = position(key);
  if (at < entries_.size()) {
    entries_[at].second = std::move(value);
    return;
  }
  entries_.emplace_back(std::move(key), std::move(value));
  if (!index_.empty())
    index_from(at);
  else if (entries_.size() >= kIndexFrom)
    index_from(0);
}

bool Dict::erase(std::string_view key) {
  const std::size_t at = position(key);
  if (at == entries_.size()) return false;
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
  if (!index_.empty()) {
    index_.clear();
    index_from(0);
  }
  return true;
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
