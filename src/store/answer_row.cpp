#include "store/answer_row.h"

#include <bit>
#include <limits>

#include "base/json.h"
#include "store/outcome.h"

namespace tare::store {
namespace {

struct Binder {
  sqlite::Statement& statement;
  int place;

  // SQLite's own reals lose NaN and the sign of zero.
  void operator()(const core::LogLikelihood& answer) const {
    statement.bind(place, std::bit_cast<std::int64_t>(answer.sum));
    statement.bind(place + 1, std::int64_t{answer.greedy});
  }
  void operator()(const core::Generated& answer) const {
    const base::List tokens(answer.tokens.begin(), answer.tokens.end());
    statement.bind(place + 2, answer.text);
    statement.bind(place + 3, base::json::dump(tokens));
    statement.bind(place + 4, finish_name(answer.finish));
  }
};

std::optional<std::vector<core::Token>> read_tokens(const std::string& text) {
  using Limits = std::numeric_limits<core::Token>;
  const auto list = base::json::parse(text);
  if (!list || !list->is_list()) return std::nullopt;
  std::vector<core::Token> tokens;
  tokens.reserve(list->items().size());
  for (const base::Value& item : list->items()) {
    if (!item.is_int() || item.as_int() < Limits::min() || item.as_int() > Limits::max())
      return std::nullopt;
    tokens.push_back(static_cast<core::Token>(item.as_int()));
  }
  return tokens;
}

}  // namespace

void bind_answer(sqlite::Statement& statement, int place, const core::Answer& answer) {
  std::visit(Binder{statement, place}, answer);
}

std::optional<core::Answer> read_answer(const sqlite::Statement& row, int column) {
  if (!row.is_none(column))
    return core::LogLikelihood{std::bit_cast<double>(row.integer(column)),
                               row.integer(column + 1) != 0};
  if (row.is_none(column + 2)) return std::nullopt;
  auto tokens = read_tokens(row.text(column + 3));
  const auto finish = finish_of(row.text(column + 4));
  if (!tokens || !finish) return std::nullopt;
  return core::Generated{row.text(column + 2), std::move(*tokens), *finish};
}

}  // namespace tare::store
