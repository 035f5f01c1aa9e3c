#include "task/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace tare::task {
namespace {

using core::BuiltTask;
using core::OutputType;
using Warnings = std::vector<core::Warning>;

constexpr std::size_t kMostExamples = 5;
constexpr std::size_t kFewDocuments = 10;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text with every number as "#".
std::string without_numbers(std::string_view text) {
  std::string kind;
  for (const char c : text) {
    if (!is_digit(c)) {
      kind += c;
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

/// Collects the documents of which something holds.
class Documents {
 public:
  explicit Documents(const BuiltTask& task) : task_(task) {}

  void add(std::size_t position) {
    if (count_ < kMostExamples) examples_.push_back(task_.doc_ids[position]);
    ++count_;
  }

  /// "task NAME: 3 of 20 documents WHAT (doc_id 1, 4, 7); REMEDY", if there are any.
  void warn(Warnings& warnings, const char* code, std::string_view what,
            std::string_view remedy) const {
    if (count_ == 0) return;
    const char* more = count_ > examples_.size() ? ", ..." : "";
    warnings.push_back(
        {code,
         fmt::format("task {}: {} of {} documents {} (doc_id {}{}); {}", task_.name, count_,
                     task_.documents.size(), what, fmt::join(examples_, ", "), more, remedy),
         count_});
  }

 private:
  const BuiltTask& task_;
  std::vector<std::size_t> examples_;
  std::size_t count_ = 0;
};

bool has_equal_choices(const core::Gold& gold) {
  const std::set<std::string_view> different(gold.choices.begin(), gold.choices.end());
  return different.size() < gold.choices.size();
}

bool is_empty(const base::Value& target) {
  return (target.is_string() && target.as_string().empty()) ||
         (target.is_list() && target.items().empty());
}

void look_at_golds(const BuiltTask& task, Warnings& warnings) {
  Documents equal(task), empty(task);
  for (std::size_t i = 0; i < task.golds.size(); ++i) {
    if (has_equal_choices(task.golds[i])) equal.add(i);
    if (!task.process_results && is_empty(task.golds[i].target)) empty.add(i);
  }
  equal.warn(warnings, "equal-choices", "have choices that are the same text",
             "no score can tell them apart: look at doc_to_choice");
  empty.warn(warnings, "empty-target", "have an empty target", "look at doc_to_target");
}

/// Its score then says how much a model likes that place, too.
void look_for_one_answer(const BuiltTask& task, Warnings& warnings) {
  if (task.output_type != OutputType::multiple_choice || task.golds.size() < kFewDocuments) return;
  const base::Value& first = task.golds.front().target;
  const bool same =
      std::ranges::all_of(task.golds, [&](const core::Gold& gold) { return gold.target == first; });
  if (same && first.is_int())
    warnings.push_back(
        {"one-answer",
         fmt::format("task {}: choice {} is the right one in all {} documents; look at "
                     "doc_to_target, or shuffle the choices",
                     task.name, first.as_int(), task.golds.size()),
         task.golds.size()});
}

/// The document's own question: what stands after the last few-shot delimiter.
std::optional<std::string_view> own_question(std::string_view context, std::string_view delimiter) {
  const std::size_t at = context.rfind(delimiter);
  if (delimiter.empty() || at == std::string_view::npos) return std::nullopt;
  return context.substr(at + delimiter.size());
}

bool shown_before(std::string_view context, std::string_view question, std::string_view delimiter) {
  const std::string_view before = context.substr(0, context.size() - question.size());
  const std::string after_another = std::string(delimiter) + std::string(question);
  return before.starts_with(question) || before.find(after_another) != std::string_view::npos;
}

/// Questions that several documents share are no sign of a leak.
void look_for_leaks(const BuiltTask& task, Warnings& warnings) {
  const base::Value* written = task.config.find("fewshot_delimiter");
  if (task.num_fewshot == 0 || written == nullptr || !written->is_string()) return;
  const std::string& delimiter = written->as_string();
  const auto ranges = core::request_ranges(task);
  std::vector<std::string_view> questions(ranges.size());
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].size() == 0) continue;
    questions[i] = own_question(task.requests[ranges[i].first].context, delimiter).value_or("");
    ++seen[questions[i]];
  }
  Documents leaks(task);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (!questions[i].empty() && seen[questions[i]] == 1 &&
        shown_before(task.requests[ranges[i].first].context, questions[i], delimiter))
      leaks.add(i);
  leaks.warn(warnings, "own-example", "stand among their own few-shot examples",
             "name another split as fewshot_split");
}

}  // namespace

std::vector<FaultKind> fault_kinds(const std::vector<Fault>& faults) {
  std::vector<FaultKind> kinds;
  std::map<std::string, std::size_t> positions;
  for (const Fault& fault : faults) {
    const auto [at, is_new] =
        positions.try_emplace(without_numbers(fault.error.text), kinds.size());
    if (is_new) kinds.push_back({fault.error.text, 0, {}});
    FaultKind& kind = kinds[at->second];
    if (kind.count < kMostExamples) kind.doc_ids.push_back(fault.doc_id);
    ++kind.count;
  }
  return kinds;
}

Warnings findings(const BuiltTask& task) {
  Warnings warnings;
  look_at_golds(task, warnings);
  look_for_one_answer(task, warnings);
  look_for_leaks(task, warnings);
  if (task.total_documents < kFewDocuments)
    warnings.push_back({"few-documents",
                        fmt::format("task {}: the split has {} documents; a score of so few tells "
                                    "little",
                                    task.name, task.total_documents),
                        task.total_documents});
  return warnings;
}

}  // namespace tare::task
