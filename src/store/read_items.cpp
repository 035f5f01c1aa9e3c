#include "store/read_items.h"

#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/python.h"
#include "store/fields.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Value;
using Tokens = std::vector<core::Token>;

const base::List& list_at(const Value& dict, const char* key) {
  static const base::List kNone;
  const Value* found = dict.find(key);
  return found != nullptr && found->is_list() ? found->items() : kNone;
}

std::string text_at(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  return found != nullptr ? text_of(*found) : "";
}

std::size_t count_at(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  return found != nullptr && found->is_int() && found->as_int() > 0
             ? static_cast<std::size_t>(found->as_int())
             : 0;
}

/// Nothing is added where the list holds what is no token.
void append_tokens(const base::List& list, Tokens& tokens) {
  using Limits = std::numeric_limits<core::Token>;
  const std::size_t before = tokens.size();
  for (const Value& item : list) {
    if (!item.is_int() || item.as_int() < Limits::min() || item.as_int() > Limits::max())
      return tokens.resize(before);
    tokens.push_back(static_cast<core::Token>(item.as_int()));
  }
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// lm-eval's part of an answer: a text, or a log-likelihood and whether it is the argmax.
ItemAnswer answer_of(const Value& response, bool generated) {
  ItemAnswer answer;
  if (generated) {
    answer.text = text_of(response);
  } else if (response.is_string()) {
    answer.log_likelihood = number_of(response.as_string());
  } else if (response.is_list() && response.items().size() == 2) {
    answer.log_likelihood = number_of(text_of(response.items()[0]));
    answer.greedy = text_of(response.items()[1]) == "True";
  }
  return answer;
}

/// tare's part of it.
void add_details(const Value& block, const Value& response, ItemAnswer& answer) {
  append_tokens(list_at(block, fields::sample::kSharedContext), answer.tokens);
  append_tokens(list_at(response, fields::sample::kTokens), answer.tokens);
  append_tokens(list_at(response, fields::kGeneratedTokens), answer.generated);
  if (const Value* text = response.find(fields::kText)) answer.text = text_of(*text);
  if (const Value* exact = response.find(fields::kLogLikelihood); exact && exact->is_number())
    answer.log_likelihood = exact->as_number();
  answer.finish = text_at(response, fields::kFinish);
  answer.failure = text_at(response, fields::kFailure);
  answer.continuation = count_at(response, fields::kContinuationTokens);
  answer.truncated = count_at(response, fields::kTruncatedTokens);
  if (answer.failure.empty()) return;
  answer.log_likelihood.reset();
  answer.greedy.reset();
}

void read_requests(const Value& line, SampledItem& item) {
  const Value* arguments = line.find(lm_eval::kArguments);
  if (arguments == nullptr || !arguments->is_dict()) return;
  for (const auto& [name, argument] : arguments->as_dict()) {
    const Value* settings = argument.find(lm_eval::kContinuationArgument);
    // The settings of generation stand where a continuation would.
    item.generated = settings != nullptr && settings->is_dict();
    item.requests.push_back({text_at(argument, lm_eval::kContextArgument),
                             text_at(argument, lm_eval::kContinuationArgument),
                             {}});
  }
}

void read_responses(const Value& line, SampledItem& item) {
  const base::List& all = list_at(line, lm_eval::kResps);
  const Value block = entry(line, fields::kTare);
  const base::List& details = list_at(block, fields::sample::kResponses);
  std::size_t place = 0;
  for (std::size_t i = 0; i < all.size() && i < item.requests.size(); ++i) {
    if (!all[i].is_list()) continue;
    for (const Value& response : all[i].items()) {
      ItemAnswer answer = answer_of(response, item.generated);
      if (place < details.size()) add_details(block, details[place], answer);
      ++place;
      item.requests[i].answers.push_back(std::move(answer));
    }
  }
  item.subtask = text_at(block, fields::sample::kSubtask);
  item.failure = text_at(block, fields::kFailure);
}

ItemFilter filter_of(const Value& line) {
  ItemFilter filter{text_at(line, lm_eval::kFilter), {}, metrics_of(line)};
  for (const Value& left : list_at(line, lm_eval::kFilteredResps))
    filter.left.push_back(left.is_string() ? left.as_string() : base::python::str(left));
  return filter;
}

bool is_sample(const Value& line) {
  const Value *id = line.find(lm_eval::kDocId), *metrics = line.find(lm_eval::kMetrics);
  return id != nullptr && id->is_int() && metrics != nullptr && metrics->is_list();
}

}  // namespace

std::optional<SampledItem> item_of(const Value& line) {
  if (!is_sample(line)) return std::nullopt;
  SampledItem item;
  item.doc_id = line.find(lm_eval::kDocId)->as_int();
  item.document = entry(line, lm_eval::kDoc);
  item.document_hash = text_at(line, lm_eval::kDocHash);
  item.prompt_hash = text_at(line, lm_eval::kPromptHash);
  item.target = text_at(line, lm_eval::kTarget);
  read_requests(line, item);
  read_responses(line, item);
  item.filters.push_back(filter_of(line));
  return item;
}

bool has_samples(const RunFiles& files, const std::string& task) {
  std::error_code unknown;
  return std::filesystem::exists(files.samples(task), unknown);
}

base::Result<std::vector<SampledItem>> read_items(const RunFiles& files, const std::string& task) {
  std::vector<SampledItem> items;
  std::unordered_map<std::int64_t, std::size_t> places;
  TARE_CHECK(each_sample(files, task, [&](const Value& line) {
    if (!is_sample(line)) return false;
    const auto [place, first] = places.emplace(line.find(lm_eval::kDocId)->as_int(), items.size());
    if (first)
      items.push_back(*item_of(line));
    else
      items[place->second].filters.push_back(filter_of(line));
    return true;
  }));
  return items;
}

}  // namespace tare::store
