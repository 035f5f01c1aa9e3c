#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "base/value.h"

/// A YAML mapping checked and typed by a table: one row a key.
namespace tare::task {

/// What a key may hold; rows combine them.
enum Kind : unsigned {
  kNone = 1,
  kBool = 2,
  kInt = 4,
  kText = 8,
  kList = 16,
  kDict = 32,
  kFunction = 64,
  kReal = 128,
};

Kind kind_of(const base::Value& value);
/// "a text, a list or null".
std::string describe_kinds(unsigned kinds);
/// Python's repr of the value, cut where it is long, for messages.
std::string shown(const base::Value& value);
/// The value and its kind: "'five' (a text)".
std::string describe_value(const base::Value& value);

template <class Config>
struct FieldRow {
  std::string_view name;
  unsigned kinds = 0;
  /// Null for keys that are only passed on in TaskConfig::merged.
  void (*set)(Config&, const base::Value&) = nullptr;
  /// What a result file shows when the key is absent.
  base::Value by_default;
  /// For keys with few valid values: "" if the value is one of them, else what is wanted.
  std::string (*refuse)(const base::Value&) = nullptr;
};

inline void assign(std::string& to, const base::Value& value) {
  to = value.as_string();
}
inline void assign(std::optional<std::string>& to, const base::Value& value) {
  to = value.is_none() ? std::nullopt : std::optional(value.as_string());
}
inline void assign(std::int64_t& to, const base::Value& value) {
  to = value.as_int();
}
inline void assign(std::optional<std::size_t>& to, const base::Value& value) {
  to = value.is_none() ? std::nullopt : std::optional(static_cast<std::size_t>(value.as_int()));
}
inline void assign(base::Value& to, const base::Value& value) {
  to = value;
}

/// The setter of a data member; the row's kinds have been checked before it runs.
template <auto Member, class Config>
void set_member(Config& config, const base::Value& value) {
  assign(config.*Member, value);
}

/// "" if the row takes the value, else the message without its place.
template <class Config>
std::string mismatch(const FieldRow<Config>& row, const base::Value& value) {
  if ((row.kinds & kind_of(value)) == 0)
    return fmt::format("found {}, wanted {}", describe_value(value), describe_kinds(row.kinds));
  const std::string wanted = row.refuse == nullptr ? "" : row.refuse(value);
  return wanted.empty() ? "" : fmt::format("found {}, wanted {}", describe_value(value), wanted);
}

template <class Config>
const FieldRow<Config>* find_row(std::span<const FieldRow<Config>> rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &FieldRow<Config>::name);
  return row == rows.end() ? nullptr : &*row;
}

template <class Config>
std::string unknown_key(std::span<const FieldRow<Config>> rows, const std::string& key) {
  std::vector<std::string> names;
  for (const FieldRow<Config>& row : rows) names.emplace_back(row.name);
  const auto nearest = base::nearest_names(key, names);
  return nearest.empty()
             ? fmt::format("unknown key '{}'", key)
             : fmt::format("unknown key '{}', did you mean {}?", key, base::join_or(nearest));
}

}  // namespace tare::task
