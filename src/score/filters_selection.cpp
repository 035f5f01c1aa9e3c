#include <fmt/format.h>

#include <algorithm>

#include "score/filter_table.h"

/// Filters that choose among the answers to a request.
namespace tare::score {
namespace {

using base::Value;
using Documents = std::span<const core::Document>;

base::Result<Responses> take_first(const Value&, Responses responses, Documents) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto items = elements(responses[i]);
    if (!items) return at_request(i, std::move(items).error());
    if (items->empty()) return at_request(i, {base::ErrorKind::failed, "there is no first answer"});
    responses[i] = items->front();
  }
  return responses;
}

base::Status check_take_first_k(const Value& arguments) {
  const Value k = argument(arguments, "k", nullptr);
  if (k.is_int() && k.as_int() >= 0) return {};
  return base::input_error(fmt::format("k: found {}, wanted a whole number", k.type_name()));
}

/// r[:k] of a list, a tuple or a text.
Value prefix(const Value& response, base::List items, std::size_t k) {
  items.resize(std::min(k, items.size()));
  if (response.is_tuple()) return Value::tuple(std::move(items));
  if (response.is_list()) return items;
  std::string text;
  for (const Value& character : items) text += character.as_string();
  return text;
}

/// Like lm-eval, only the first request is asked whether it has enough answers.
base::Result<Responses> take_first_k(const Value& arguments, Responses responses, Documents) {
  const auto k = static_cast<std::size_t>(arguments.find("k")->as_int());
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto items = elements(responses[i]);
    if (!items) return at_request(i, std::move(items).error());
    if (i == 0 && items->size() < k)
      return base::input_error(
          fmt::format("{} answers a request, wanted at least {}; raise repeats", items->size(), k));
    responses[i] = prefix(responses[i], std::move(*items), k);
  }
  return responses;
}

/// The most frequent answer; of several the one that came first.
base::Result<Value> most_frequent(const base::List& answers) {
  const Value* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const Value& answer : answers) {
    if (!hashable(answer))
      return base::work_failed(fmt::format("cannot count answers of type {}", answer.type_name()));
    const auto count = std::count(answers.begin(), answers.end(), answer);
    if (count <= most) continue;
    most = count;
    best = &answer;
  }
  if (best == nullptr) return base::work_failed("there is no answer to vote on");
  return *best;
}

base::Result<Responses> majority_vote(const Value&, Responses responses, Documents) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto items = elements(responses[i]);
    if (!items) return at_request(i, std::move(items).error());
    auto winner = most_frequent(*items);
    if (!winner) return at_request(i, std::move(winner).error());
    responses[i] = base::List{std::move(*winner)};
  }
  return responses;
}

constexpr std::array<Filter, 3> kFilters = {{
    {"take_first", take_first},
    {"take_first_k", take_first_k, check_take_first_k, {"k"}, true},
    {"majority_vote", majority_vote},
}};

}  // namespace

std::span<const Filter> selection_filters() {
  return kFilters;
}

}  // namespace tare::score
