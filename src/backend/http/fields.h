#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

/// Fields of an answer, where they are there and of the wanted kind.
namespace tare::backend::http {

inline std::optional<std::int64_t> integer_at(const base::Value& answer, std::string_view key) {
  const base::Value* field = answer.find(key);
  if (field == nullptr || !field->is_int()) return std::nullopt;
  return field->as_int();
}

inline std::optional<double> number_at(const base::Value& answer, std::string_view key) {
  const base::Value* field = answer.find(key);
  if (field == nullptr || !field->is_number()) return std::nullopt;
  return field->as_number();
}

inline std::optional<std::string> text_at(const base::Value& answer, std::string_view key) {
  const base::Value* field = answer.find(key);
  if (field == nullptr || !field->is_string()) return std::nullopt;
  return field->as_string();
}

inline bool true_at(const base::Value& answer, std::string_view key) {
  const base::Value* field = answer.find(key);
  return field != nullptr && field->is_bool() && field->as_bool();
}

/// A dict; an empty one if there is none of that name.
inline base::Value dict_at(const base::Value& answer, std::string_view key) {
  const base::Value* field = answer.find(key);
  return field != nullptr && field->is_dict() ? *field : base::Value(base::Dict());
}

/// The first item of a list, or null.
inline const base::Value* first_of(const base::Value* list) {
  return list != nullptr && list->is_list() && !list->items().empty() ? list->items().data()
                                                                      : nullptr;
}

}  // namespace tare::backend::http
