#pragma once

#include <optional>

#include "core/request.h"
#include "store/sqlite.h"

/// A model's answer as columns of a table, exact to the last bit.
namespace tare::store {

/// The columns, as CREATE TABLE takes them. Of a log-likelihood the first two are set, of generated
/// text the others.
inline constexpr const char* kAnswerColumns =
    "log_likelihood_bits INTEGER, greedy INTEGER, text TEXT, tokens TEXT, finish TEXT";
inline constexpr const char* kAnswerNames = "log_likelihood_bits, greedy, text, tokens, finish";
inline constexpr int kAnswerSize = 5;

/// Sets the kAnswerSize parameters from `place` on.
void bind_answer(sqlite::Statement& statement, int place, const core::Answer& answer);

/// Reads the kAnswerSize columns from `column` on. Nothing if they hold no answer.
std::optional<core::Answer> read_answer(const sqlite::Statement& row, int column);

}  // namespace tare::store
