#include "study/parity.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "study/parity_difference.h"
#include "study/parity_fault.h"

namespace tare::study {
namespace {

/// Counts what is found, prompt by prompt.
class Comparison {
 public:
  Comparison(const Side& left, const Side& right) : left_(left), right_(right) {}

  void add(const Prompt& mine, const Prompt& theirs) {
    const Asked left{left_, mine}, right{right_, theirs};
    report_.compared += 1;
    report_.by_tokens += mine.tokens && theirs.tokens ? 1 : 0;
    report_.by_messages += mine.messages.empty() || theirs.messages.empty() ? 0 : 1;
    Founds found;
    if (same(left, right))
      report_.equal += 1;
    else
      found = part(left, right);
    for (const Fault fault : faults_of(left)) found.push_back({fault, Where::left});
    for (const Fault fault : faults_of(right)) found.push_back({fault, Where::right});
    note(found, mine.key);
  }

  ParityReport take(std::size_t left_only, std::size_t right_only) {
    report_.left_only = left_only;
    report_.right_only = right_only;
    for (const auto& [found, finding] : findings_) report_.findings.push_back(finding);
    return std::move(report_);
  }

 private:
  using Founds = std::vector<Found>;
  using Kind = std::pair<Fault, Where>;

  /// Why two prompts are not equal.
  Founds part(const Asked& left, const Asked& right) {
    Founds found = differences(left, right);
    // Places in a conversation and in a text are not of one thing.
    if (!mixed(left, right) && !report_.first) report_.first = first_difference(left, right);
    const bool untold = found.size() == 1 && found[0].fault == Fault::unseen_chat_template;
    report_.incomparable += untold ? 1 : 0;
    return found;
  }

  [[nodiscard]] std::string name(Where where) const {
    if (where == Where::between) return "";
    return where == Where::left ? left_.name : right_.name;
  }

  /// A prompt counts once for each kind.
  void note(Founds& found, const std::string& key) {
    const auto kind = [](const Found& one) { return Kind{one.fault, one.where}; };
    std::ranges::sort(found, {}, kind);
    const auto alike = [&](const Found& a, const Found& b) { return kind(a) == kind(b); };
    found.erase(std::unique(found.begin(), found.end(), alike), found.end());
    for (const Found& one : found) {
      auto& finding = findings_[kind(one)];
      if (finding.prompts++ > 0) continue;
      finding.fault = one.fault;
      finding.side = name(one.where);
      finding.key = key;
    }
  }

  const Side& left_;
  const Side& right_;
  ParityReport report_;
  std::map<Kind, Finding> findings_;
};

}  // namespace

std::string_view fault_name(Fault fault) {
  constexpr std::array<std::string_view, 11> kNames{
      "double BOS",          "missing BOS",          "lost system message", "missing chat template",
      "other chat template", "unseen chat template", "silent truncation",   "truncation",
      "other white space",   "other tokenizer",      "other text"};
  return kNames.at(static_cast<std::size_t>(fault));
}

ParityReport compare_prompts(const Side& left, const Side& right) {
  std::unordered_map<std::string_view, const Prompt*> theirs;
  for (const Prompt& prompt : right.prompts) theirs.emplace(prompt.key, &prompt);
  Comparison comparison(left, right);
  std::size_t left_only = 0;
  for (const Prompt& prompt : left.prompts) {
    const auto found = theirs.find(prompt.key);
    if (found == theirs.end()) {
      left_only += 1;
      continue;
    }
    comparison.add(prompt, *found->second);
    theirs.erase(found);
  }
  return comparison.take(left_only, theirs.size());
}

}  // namespace tare::study
