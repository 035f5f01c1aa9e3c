#pragma once

#include <doctest/doctest.h>

#include <string>

#include "backend/backend.h"
#include "backend/http/fields.h"
#include "base/json.h"
#include "base/value.h"

/// Case files of servers' JSON, read as the tests need them.
namespace tare::backend::http::test_cases {

inline core::GenerationSettings settings_of(const base::Value& entry) {
  core::GenerationSettings settings;
  const auto parameters = text_at(entry, "parameters");
  if (parameters == "given_length") settings.parameters = core::GenerationParameters::given_length;
  if (parameters == "backend") settings.parameters = core::GenerationParameters::backend;
  settings.max_tokens = static_cast<std::size_t>(integer_at(entry, "max_tokens").value_or(256));
  settings.sample = true_at(entry, "sample");
  settings.temperature = number_at(entry, "temperature").value_or(0);
  settings.top_p = number_at(entry, "top_p");
  settings.top_k = integer_at(entry, "top_k");
  settings.repetition_penalty = number_at(entry, "repetition_penalty");
  if (const base::Value* until = entry.find("until"))
    for (const base::Value& stop : until->items()) settings.until.push_back(stop.as_string());
  return settings;
}

inline core::GenerationSettings up_to(std::size_t max_tokens) {
  core::GenerationSettings settings;
  settings.max_tokens = max_tokens;
  return settings;
}

inline std::uint64_t seed_of(const base::Value& entry) {
  return std::stoull(text_at(entry, "seed").value_or("0"));
}

inline const base::List& list_in(const base::Value& file, std::string_view key) {
  const base::Value* list = file.find(key);
  REQUIRE(list != nullptr);
  return list->items();
}

/// A request's body says what the case says, in whatever order.
inline void check_body(const std::string& body, const base::Value& wanted) {
  const auto parsed = base::json::parse(body);
  REQUIRE(parsed);
  CHECK(*parsed == wanted);
  if (!(*parsed == wanted)) CHECK(body == base::json::dump(wanted));
}

inline std::string_view name_of(core::FinishReason reason) {
  if (reason == core::FinishReason::length) return "length";
  return reason == core::FinishReason::stop_string ? "stop_string" : "end_of_sequence";
}

/// What was read of an answer is what the case says, or fails for its reason.
inline void check_generated(const tl::expected<core::Generated, core::RequestFailure>& read,
                            const base::Value& entry) {
  CAPTURE(text_at(entry, "name").value_or(""));
  if (const auto failure = text_at(entry, "failure")) {
    REQUIRE_FALSE(read);
    CHECK(read.error().reason == *failure);
    return;
  }
  REQUIRE_MESSAGE(read, (read ? "" : read.error().reason));
  CHECK(read->text == text_at(entry, "text"));
  CHECK(name_of(read->finish) == text_at(entry, "finish"));
}

}  // namespace tare::backend::http::test_cases
