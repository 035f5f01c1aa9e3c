#include "study/run_page_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/python.h"
#include "base/unicode.h"
#include "study/observations.h"

namespace tare::study {
namespace {

using base::Dict;
using base::List;
using base::Value;
using store::ItemAnswer;
using store::ItemFilter;
using store::ItemRequest;
using store::SampledItem;

/// Characters of a question and of an answer in the list of items.
constexpr std::size_t kPreview = 140;
constexpr std::size_t kShortAnswer = 60;

/// The first line or so of a text: white space made one space each, cut at a character.
std::string shortened(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t characters = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    if (begins && characters == most) return line + "…";
    characters += begins ? 1 : 0;
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

/// The end of a text, where the question of a prompt with examples stands.
std::string_view tail(std::string_view text) {
  if (text.size() <= kPreview) return text;
  std::size_t at = text.size() - kPreview;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) ++at;
  return text.substr(at);
}

/// The columns in which data sets keep what is asked.
std::string preview_of(const SampledItem& item) {
  for (const char* key : {"question", "query", "goal", "ctx", "premise", "problem", "sentence",
                          "context", "prompt", "text", "input", "page"})
    if (const Value* found = item.document.find(key); found != nullptr && found->is_string())
      if (std::string line = shortened(found->as_string(), kPreview); !line.empty()) return line;
  return item.requests.empty() ? "" : shortened(tail(item.requests[0].context), kPreview);
}

const ItemFilter* filter_named(const SampledItem& item, const std::string& name) {
  const auto found = std::ranges::find(item.filters, name, &ItemFilter::name);
  return found == item.filters.end() ? nullptr : &*found;
}

const Value* metric_of(const SampledItem& item, const ItemJudge& judge) {
  const ItemFilter* filter = filter_named(item, judge.filter);
  if (filter == nullptr) return nullptr;
  for (const auto& [name, value] : filter->metrics)
    if (name == judge.metric) return &value;
  return nullptr;
}

bool is_verdict(const Value& value) {
  return value.is_bool() ||
         (value.is_number() && (value.as_number() == 0 || value.as_number() == 1));
}

/// The number of the likeliest continuation; none if no answer has a log-likelihood.
std::optional<std::size_t> likeliest(const SampledItem& item) {
  std::optional<std::size_t> best;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < item.requests.size(); ++i) {
    if (item.requests[i].answers.empty()) continue;
    const auto value = item.requests[i].answers[0].log_likelihood;
    if (!value || !(*value > most)) continue;
    most = *value;
    best = i;
  }
  return best;
}

/// What the model answered, in a word: the text that the filter left, the likeliest choice, whether
/// the one text is the argmax.
std::string answer_text(const SampledItem& item, const ItemJudge& judge) {
  if (item.generated) {
    const ItemFilter* filter = filter_named(item, judge.filter);
    return filter == nullptr || filter->left.empty() ? "" : filter->left.front();
  }
  if (item.requests.size() > 1) {
    const auto best = likeliest(item);
    return best ? item.requests[*best].continuation : "";
  }
  if (item.requests.empty() || item.requests[0].answers.empty()) return "";
  const ItemAnswer& answer = item.requests[0].answers[0];
  if (answer.greedy && !item.requests[0].continuation.empty())
    return *answer.greedy ? "argmax" : "not the argmax";
  return answer.log_likelihood ? base::python::repr(*answer.log_likelihood) : "";
}

/// Choices may read alike: these are told apart by their number.
std::string answer_key(const SampledItem& item, const ItemJudge& judge) {
  if (item.generated || item.requests.size() < 2) return answer_text(item, judge);
  const auto best = likeliest(item);
  return best ? fmt::format("{}", *best) : "";
}

/// All answers as they came.
std::string output_key(const SampledItem& item) {
  std::string all;
  for (const ItemRequest& request : item.requests)
    for (const ItemAnswer& answer : request.answers) {
      all += item.generated          ? answer.text
             : answer.log_likelihood ? base::python::repr(*answer.log_likelihood)
                                     : "";
      all += '\0';
    }
  return all;
}

bool failed(const SampledItem& item) {
  if (!item.failure.empty()) return true;
  return std::ranges::any_of(item.requests, [](const ItemRequest& request) {
    return std::ranges::any_of(request.answers,
                               [](const ItemAnswer& answer) { return !answer.failure.empty(); });
  });
}

/// '1' right, '0' wrong, '?' neither by this metric, 'f' failed, '.' not asked.
char verdict_letter(const SampledItem* item, const ItemJudge& judge) {
  if (item == nullptr) return '.';
  if (const auto verdict = verdict_of(*item, judge)) return *verdict ? '1' : '0';
  return failed(*item) ? 'f' : '?';
}

/// 'd' another document than in the first run that has the item, 'p' another prompt, '=' the same.
char sameness_letter(const SampledItem* item, const SampledItem* first) {
  if (item == nullptr) return '.';
  if (item->document_hash != first->document_hash) return 'd';
  return item->prompt_hash == first->prompt_hash ? '=' : 'p';
}

/// Numbers that are equal for runs whose texts are: "a", "b", ... in the order of the runs.
char class_letter(const std::string& text, std::vector<std::string>& known) {
  const auto found = std::ranges::find(known, text);
  const auto place = found - known.begin();
  if (found == known.end()) known.push_back(text);
  return static_cast<char>('a' + std::min<std::ptrdiff_t>(place, 25));
}

struct Columns {
  std::string verdicts, sameness, answer_classes, output_classes;
  List answers, values;
};

void add_row(const ItemRow& row, const ItemJudge& judge, std::vector<Columns>& columns) {
  const SampledItem* first = *std::ranges::find_if(row, [](const auto* item) { return item; });
  std::vector<std::string> answers, outputs;
  for (std::size_t run = 0; run < row.size(); ++run) {
    const SampledItem* item = row[run];
    Columns& column = columns[run];
    column.verdicts += verdict_letter(item, judge);
    column.sameness += sameness_letter(item, first);
    column.answer_classes += item ? class_letter(answer_key(*item, judge), answers) : '.';
    column.output_classes += item ? class_letter(output_key(*item), outputs) : '.';
    column.answers.push_back(item ? Value(shortened(answer_text(*item, judge), kShortAnswer))
                                  : Value());
    const Value* value = item && !judge.verdict ? metric_of(*item, judge) : nullptr;
    column.values.push_back(value != nullptr && value->is_number() ? *value : Value());
  }
}

Value columns_value(Columns columns, bool verdicts) {
  Dict dict;
  dict.set("verdicts", std::move(columns.verdicts));
  dict.set("same", std::move(columns.sameness));
  dict.set("answer_classes", std::move(columns.answer_classes));
  dict.set("output_classes", std::move(columns.output_classes));
  dict.set("answers", std::move(columns.answers));
  dict.set("values", verdicts ? Value() : Value(std::move(columns.values)));
  return dict;
}

/// The tokens at the beginning of all answers' contexts.
std::span<const core::Token> shared_tokens(const SampledItem& item) {
  std::optional<std::span<const core::Token>> shared;
  for (const ItemRequest& request : item.requests)
    for (const ItemAnswer& answer : request.answers) {
      const std::span all(answer.tokens);
      const auto context = all.first(all.size() - std::min(answer.continuation, all.size()));
      if (!shared) shared = context;
      const auto common = std::ranges::mismatch(*shared, context).in1 - shared->begin();
      shared = shared->first(static_cast<std::size_t>(common));
    }
  return shared.value_or(std::span<const core::Token>());
}

Value token_value(std::span<const core::Token> tokens) {
  return List(tokens.begin(), tokens.end());
}

template <class T>
void set_if(Dict& dict, const char* key, const T& value, bool there) {
  if (there) dict.set(key, value);
}

Value answer_value(const ItemAnswer& answer, std::size_t shared, bool tokens) {
  Dict dict;
  if (answer.log_likelihood) dict.set("log_likelihood", *answer.log_likelihood);
  if (answer.greedy) dict.set("greedy", *answer.greedy);
  set_if(dict, "text", answer.text, !answer.text.empty() || !answer.finish.empty());
  set_if(dict, "finish", answer.finish, !answer.finish.empty());
  set_if(dict, "failure", answer.failure, !answer.failure.empty());
  set_if(dict, "scored", answer.continuation, answer.continuation > 0);
  set_if(dict, "truncated", answer.truncated, answer.truncated > 0);
  if (tokens && answer.tokens.size() >= shared)
    dict.set("tokens", token_value(std::span(answer.tokens).subspan(shared)));
  if (tokens && !answer.log_probabilities.empty())
    dict.set("log_probabilities",
             List(answer.log_probabilities.begin(), answer.log_probabilities.end()));
  if (tokens && !answer.generated.empty()) dict.set("new_tokens", token_value(answer.generated));
  return dict;
}

Value request_value(const ItemRequest& request, bool own_context, std::size_t shared, bool tokens) {
  Dict dict;
  if (own_context) dict.set("context", request.context);
  dict.set("continuation", request.continuation);
  List answers;
  for (const ItemAnswer& answer : request.answers)
    answers.push_back(answer_value(answer, shared, tokens));
  dict.set("answers", std::move(answers));
  return dict;
}

Value filters_value(const SampledItem& item) {
  List filters;
  for (const ItemFilter& filter : item.filters) {
    Dict metrics;
    for (const auto& [name, value] : filter.metrics) metrics.set(name, value);
    Dict dict;
    dict.set("name", filter.name);
    if (item.generated) dict.set("left", List(filter.left.begin(), filter.left.end()));
    dict.set("metrics", std::move(metrics));
    filters.emplace_back(std::move(dict));
  }
  return filters;
}

Value side_value(const SampledItem* item, bool pieces) {
  if (item == nullptr) return {};
  const std::string context = item->requests.empty() ? "" : item->requests[0].context;
  const bool one_context = std::ranges::all_of(
      item->requests, [&](const ItemRequest& request) { return request.context == context; });
  const std::span<const core::Token> shared = shared_tokens(*item);
  Dict dict;
  dict.set("target", item->target);
  set_if(dict, "subtask", item->subtask, !item->subtask.empty());
  set_if(dict, "failure", item->failure, !item->failure.empty());
  dict.set("generated", item->generated);
  dict.set("context", one_context ? Value(context) : Value());
  if (pieces && !shared.empty()) dict.set("shared_tokens", token_value(shared));
  List requests;
  for (const ItemRequest& request : item->requests)
    requests.push_back(request_value(request, !one_context, shared.size(), pieces));
  dict.set("requests", std::move(requests));
  dict.set("filters", filters_value(*item));
  return dict;
}

/// Each byte as the character of that number, which JSON can hold.
std::string byte_text(std::string_view bytes) {
  std::u32string characters;
  for (const char c : bytes) characters += static_cast<char32_t>(static_cast<unsigned char>(c));
  return base::unicode::to_utf8(characters);
}

}  // namespace

std::vector<ItemRow> item_rows(const ItemsByRun& items) {
  std::vector<ItemRow> rows;
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t run = 0; run < items.size(); ++run) {
    if (!items[run]) continue;
    for (const SampledItem& item : *items[run]) {
      const auto [place, fresh] = places.emplace(item.doc_id, rows.size());
      if (fresh) rows.emplace_back(items.size(), nullptr);
      rows[place->second][run] = &item;
    }
  }
  return rows;
}

std::optional<bool> verdict_of(const SampledItem& item, const ItemJudge& judge) {
  const Value* value = metric_of(item, judge);
  if (value == nullptr || !is_verdict(*value)) return std::nullopt;
  return value->is_bool() ? value->as_bool() : value->as_number() == 1;
}

ItemJudge judge_of(const std::vector<ItemRow>& rows) {
  std::vector<ItemJudge> judges;
  std::set<std::pair<std::string, std::string>> known;
  std::map<std::pair<std::string, std::string>, bool> binary;
  for (const ItemRow& row : rows)
    for (const SampledItem* item : row) {
      if (item == nullptr) continue;
      for (const ItemFilter& filter : item->filters)
        for (const auto& [metric, value] : filter.metrics) {
          if (is_diagnostic(metric)) continue;
          const auto [place, fresh] = binary.emplace(std::pair(filter.name, metric), true);
          if (fresh) judges.push_back({filter.name, metric, false});
          place->second = place->second && is_verdict(value);
        }
    }
  for (ItemJudge& judge : judges) judge.verdict = binary.at({judge.filter, judge.metric});
  const auto found = std::ranges::find(judges, true, &ItemJudge::verdict);
  if (found != judges.end()) return *found;
  return judges.empty() ? ItemJudge{} : judges.front();
}

Value index_of(const std::vector<ItemRow>& rows, const ItemJudge& judge, std::size_t runs) {
  List ids, previews, sides;
  std::vector<Columns> columns(runs);
  for (const ItemRow& row : rows) {
    const SampledItem* first = *std::ranges::find_if(row, [](const auto* item) { return item; });
    ids.emplace_back(first->doc_id);
    previews.emplace_back(preview_of(*first));
    add_row(row, judge, columns);
  }
  for (Columns& column : columns) sides.push_back(columns_value(std::move(column), judge.verdict));
  Dict dict;
  dict.set("ids", std::move(ids));
  dict.set("previews", std::move(previews));
  dict.set("runs", std::move(sides));
  return dict;
}

bool pieces_fit(const std::vector<ItemRow>& rows, std::size_t run, const Pieces& pieces) {
  const auto first = std::ranges::find_if(rows, [&](const ItemRow& row) { return row[run]; });
  if (first == rows.end() || (*first)[run]->requests.empty()) return true;
  const ItemRequest& request = (*first)[run]->requests.front();
  if (request.answers.empty() || request.answers[0].truncated > 0) return true;
  std::string text;
  for (const core::Token token : request.answers[0].tokens) text += pieces(token);
  return text.find(request.context + request.continuation) != std::string::npos;
}

std::size_t other_sums(const std::vector<ItemRow>& rows, std::size_t run) {
  std::size_t found = 0;
  for (const ItemRow& row : rows) {
    if (row[run] == nullptr) continue;
    for (const ItemRequest& request : row[run]->requests)
      for (const ItemAnswer& answer : request.answers) {
        const auto& parts = answer.log_probabilities;
        const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
        found += !parts.empty() && sum != answer.log_likelihood ? 1 : 0;
      }
  }
  return found;
}

Value details_of(const ItemRow& row, std::span<const Pieces> pieces) {
  List sides;
  for (std::size_t run = 0; run < row.size(); ++run)
    sides.push_back(side_value(row[run], static_cast<bool>(pieces[run])));
  return sides;
}

Value vocabulary_of(const std::vector<ItemRow>& rows, std::size_t run, const Pieces& pieces) {
  std::set<core::Token> used;
  for (const ItemRow& row : rows) {
    if (row[run] == nullptr) continue;
    for (const ItemRequest& request : row[run]->requests)
      for (const ItemAnswer& answer : request.answers) {
        used.insert(answer.tokens.begin(), answer.tokens.end());
        used.insert(answer.generated.begin(), answer.generated.end());
      }
  }
  Dict dict;
  for (const core::Token token : used) dict.set(fmt::format("{}", token), byte_text(pieces(token)));
  return dict;
}

}  // namespace tare::study
