#include "compare/unlike.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json.h"

namespace tare::compare {
namespace {

using base::Result;
using base::Value;
using store::Condition;
using store::SampledAnswer;

/// Of more bytes the place is shown where it differs.
constexpr std::size_t kLongValue = 80;

std::string value_text(const Value& value) {
  if (value.is_none()) return "none";
  return value.is_string() ? value.as_string() : base::json::dump(value);
}

/// What of two lists of the same settings is not equal.
std::vector<std::string> unlike(const TaskPair& task, const std::vector<Condition>& first,
                                const std::vector<Condition>& second) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    if (!(first[i].second == second[i].second)) {
      auto values = std::pair(value_text(first[i].second), value_text(second[i].second));
      if (std::max(values.first.size(), values.second.size()) > kLongValue)
        values = parting(values.first, values.second);
      found.push_back(in_both(task, first[i].first, values.first, values.second));
    }
  return found;
}

/// Settings that may be why prompts or documents differ.
std::vector<std::string> causes(const TaskPair& task) {
  const auto &first = task.first.run, &second = task.second.run;
  auto found =
      unlike(task, first.tasks.at(task.name()).asking, second.tasks.at(task.name()).asking);
  const auto general = unlike(task, first.asking, second.asking);
  found.insert(found.end(), general.begin(), general.end());
  return found;
}

Result<SampledAnswer> whole_answer(const Side& side, const std::string& task,
                                   std::int64_t document) {
  TARE_TRY(auto found, store::find_answer(side.run.files, task, document));
  if (found) return std::move(*found);
  return base::input_error(
      fmt::format("{}: document {} is gone", side.run.files.samples(task).string(), document));
}

/// The beginning of what was asked, quoted, or else of the document's hash.
std::string asked(const SampledAnswer& answer) {
  constexpr std::size_t kEnough = 12;
  if (answer.prompt.empty()) return "of hash " + answer.document_hash.substr(0, kEnough);
  return parting(answer.prompt, "").first;
}

/// Hashes that differ though the document is the same.
base::Status check_hash(const TaskPair& task, const std::vector<Match>& matches, bool prompts,
                        PairedRuns& paired) {
  const auto hash = prompts ? &SampledAnswer::prompt_hash : &SampledAnswer::target_hash;
  const auto text = prompts ? &SampledAnswer::prompt : &SampledAnswer::target;
  std::size_t count = 0, common = 0;
  const Match* example = nullptr;
  for (const Match& match : matches) {
    if (match.first == nullptr || match.second == nullptr) continue;
    ++common;
    if (match.first->*hash == match.second->*hash) continue;
    if (count++ == 0) example = &match;
  }
  if (example == nullptr) return {};
  TARE_TRY(const auto first, whole_answer(task.first, task.name(), example->first->doc_id));
  TARE_TRY(const auto second, whole_answer(task.second, task.name(), example->second->doc_id));
  const auto [one, other] = parting(first.*text, second.*text);
  add(paired, prompts ? Mismatch::prompts : Mismatch::targets, task.name(),
      fmt::format(
          "{} of {} documents have another {}, the first of them document {}: {}", count, common,
          prompts ? "prompt" : "target", first.doc_id,
          fmt::format("{} in {}, {} in {}", one, task.first.letter, other, task.second.letter)),
      prompts ? causes(task) : std::vector<std::string>());
  return {};
}

std::set<std::int64_t> documents_of(const std::vector<SampledAnswer>& answers,
                                    const std::string& filter) {
  std::set<std::int64_t> documents;
  for (const SampledAnswer& answer : answers)
    if (answer.filter == filter) documents.insert(answer.doc_id);
  return documents;
}

}  // namespace

std::string in_both(const TaskPair& task, const std::string& subject, const std::string& one,
                    const std::string& other) {
  return fmt::format("{} {} in {}, {} in {}", subject, one, task.first.letter, other,
                     task.second.letter);
}

void add(PairedRuns& paired, Mismatch mismatch, const std::string& task, std::string text,
         std::vector<std::string> causes) {
  paired.differences.push_back({mismatch, task, std::move(text), std::move(causes)});
}

void check_conditions(const TaskPair& task, PairedRuns& paired) {
  const Value &first = task.before.task.version, &second = task.after.task.version;
  if (!(first == second))
    add(paired, Mismatch::versions, task.name(),
        in_both(task, "task version", value_text(first), value_text(second)));
  for (std::string& text : unlike(task, task.first.run.tasks.at(task.name()).answering,
                                  task.second.run.tasks.at(task.name()).answering))
    add(paired, Mismatch::settings, task.name(), std::move(text));
}

base::Status check_documents(const TaskPair& task, const std::vector<Match>& matches,
                             PairedRuns& paired) {
  std::size_t alone_first = 0, alone_second = 0;
  const Match* example = nullptr;
  for (const Match& match : matches) {
    if (match.first != nullptr && match.second != nullptr) continue;
    (match.second == nullptr ? alone_first : alone_second) += 1;
    if (example == nullptr) example = &match;
  }
  if (example == nullptr) return {};
  const SampledAnswer& answer = *(example->first != nullptr ? example->first : example->second);
  const Side& side = example->first != nullptr ? task.first : task.second;
  TARE_TRY(const auto whole, whole_answer(side, task.name(), answer.doc_id));
  const std::size_t common = matches.size() - alone_first - alone_second;
  add(paired, Mismatch::items, task.name(),
      fmt::format("documents in both: {}, in {} alone: {}, in {} alone: {}, the first of them "
                  "document {} of {}, {}",
                  common, task.first.letter, alone_first, task.second.letter, alone_second,
                  answer.doc_id, side.letter, asked(whole)),
      causes(task));
  return {};
}

base::Status check_hashes(const TaskPair& task, const std::vector<Match>& matches,
                          PairedRuns& paired) {
  TARE_CHECK(check_hash(task, matches, true, paired));
  return check_hash(task, matches, false, paired);
}

void check_filter(const TaskPair& task, const std::vector<Match>& matches, const Lines& lines,
                  const std::string& filter, PairedRuns& paired) {
  const auto first = documents_of(lines.first, filter), second = documents_of(lines.second, filter);
  std::size_t common = 0, lacking = 0, lacking_first = 0, lacking_second = 0;
  std::int64_t example = 0;
  for (const Match& match : matches) {
    if (match.first == nullptr || match.second == nullptr) continue;
    ++common;
    const bool in_first = first.contains(match.first->doc_id),
               in_second = second.contains(match.second->doc_id);
    lacking_first += in_first ? 0 : 1;
    lacking_second += in_second ? 0 : 1;
    if (in_first && in_second) continue;
    if (lacking++ == 0) example = match.first->doc_id;
  }
  if (lacking == 0) return;
  add(paired, Mismatch::items, task.name(),
      fmt::format(
          "{} of {} documents have no answer of filter {}: {} in {}, {} in {}, the first of "
          "them document {}",
          lacking, common, filter, lacking_first, task.first.letter, lacking_second,
          task.second.letter, example));
}

}  // namespace tare::compare
