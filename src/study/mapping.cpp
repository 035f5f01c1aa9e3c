#include "study/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/python.h"

namespace tare::study {
namespace {

using base::Result;
using base::Value;

const Value kNone;

base::Failure unknown(const std::string& place, const std::string& key,
                      std::span<const std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  const auto near = base::nearest_names(key, names, 1);
  return base::input_error(fmt::format("{}: unknown key {}{}", place, base::python::repr(key),
                                       near.empty()
                                           ? fmt::format("; wanted {}", base::join_or(names))
                                           : fmt::format(", did you mean {}?", near.front())));
}

}  // namespace

std::string shown(const Value& value) {
  return value.is_none() ? "nothing" : base::python::repr(value);
}

std::optional<std::string> scalar_text(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_string() || value.is_number()) return base::python::str(value);
  return std::nullopt;
}

Result<Mapping> Mapping::read(const Value& value, std::string place,
                              std::span<const std::string_view> known) {
  if (!value.is_dict())
    return base::input_error(
        fmt::format("{}: found {}, wanted a mapping with {}", place, shown(value),
                    base::join_or(std::vector<std::string>(known.begin(), known.end()))));
  for (const auto& [key, entry] : value.as_dict())
    if (const std::string name = base::python::str(key);
        std::ranges::find(known, name) == known.end())
      return unknown(place, name, known);
  return Mapping(value, std::move(place));
}

bool Mapping::has(std::string_view key) const {
  return !at(key).is_none();
}

const Value& Mapping::at(std::string_view key) const {
  const Value* found = value_.find(key);
  return found != nullptr ? *found : kNone;
}

std::string Mapping::place(std::string_view key) const {
  return fmt::format("{}: {}", place_, key);
}

base::Failure Mapping::wrong(std::string_view key, std::string_view wanted) const {
  return base::input_error(
      fmt::format("{}: found {}, wanted {}", place(key), shown(at(key)), wanted));
}

Result<std::string> Mapping::text(std::string_view key) const {
  if (!has(key)) return std::string();
  if (auto text = scalar_text(at(key))) return std::move(*text);
  return wrong(key, "a text");
}

Result<std::vector<std::string>> Mapping::texts(std::string_view key) const {
  std::vector<std::string> all;
  if (!has(key)) return all;
  if (auto text = scalar_text(at(key))) return std::vector{std::move(*text)};
  if (!at(key).is_list()) return wrong(key, "a text or a list of texts");
  for (const Value& item : at(key).items()) {
    auto text = scalar_text(item);
    if (!text) return wrong(key, "a list of texts");
    all.push_back(std::move(*text));
  }
  return all;
}

Result<std::optional<std::int64_t>> Mapping::count(std::string_view key, std::int64_t least) const {
  if (!has(key)) return std::optional<std::int64_t>();
  if (!at(key).is_int() || at(key).as_int() < least)
    return wrong(key, fmt::format("a whole number from {} on", least));
  return std::optional(at(key).as_int());
}

Result<std::optional<double>> Mapping::share(std::string_view key) const {
  if (!has(key)) return std::optional<double>();
  if (!at(key).is_number() || at(key).as_number() <= 0 || at(key).as_number() >= 1)
    return wrong(key, "a number between 0 and 1");
  return std::optional(at(key).as_number());
}

}  // namespace tare::study
