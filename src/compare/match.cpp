#include <algorithm>
#include <map>
#include <string_view>

#include "base/json.h"
#include "base/unicode.h"
#include "compare/pairing.h"

namespace tare::compare {
namespace {

using store::SampledAnswer;
using ByNumber = std::map<std::int64_t, const SampledAnswer*>;

ByNumber by_number(std::span<const SampledAnswer> answers,
                   const std::optional<std::string>& filter) {
  ByNumber found;
  for (const SampledAnswer& answer : answers)
    if (!filter || answer.filter == *filter) found.emplace(answer.doc_id, &answer);
  return found;
}

/// Takes the first of those that are left with this hash.
const SampledAnswer* take(std::multimap<std::string_view, const SampledAnswer*>& left,
                          const std::string& hash) {
  const auto found = left.find(hash);
  if (found == left.end()) return nullptr;
  const SampledAnswer* answer = found->second;
  left.erase(found);
  return answer;
}

constexpr std::size_t kBefore = 12, kShown = 40;

/// The code points from a few before `at` on.
std::string excerpt(const std::u32string& text, std::size_t at) {
  const std::size_t begin = at - std::min(at, kBefore);
  std::string shown = base::unicode::to_utf8(text.substr(begin, kShown));
  if (begin > 0) shown.insert(0, "…");
  if (begin + kShown < text.size()) shown += "…";
  return base::json::dump(shown);
}

}  // namespace

std::vector<Match> match_documents(std::span<const SampledAnswer> first,
                                   std::span<const SampledAnswer> second,
                                   const std::optional<std::string>& filter) {
  const ByNumber before = by_number(first, filter);
  ByNumber after = by_number(second, filter);
  std::vector<Match> matches;
  for (const auto& [number, answer] : before) {
    const auto same = after.find(number);
    const bool equal = same != after.end() && same->second->document_hash == answer->document_hash;
    matches.push_back({answer, equal ? same->second : nullptr});
    if (equal) after.erase(same);
  }
  std::multimap<std::string_view, const SampledAnswer*> left;
  for (const auto& [number, answer] : after) left.emplace(answer->document_hash, answer);
  for (Match& match : matches)
    if (match.second == nullptr) match.second = take(left, match.first->document_hash);
  std::vector<Match> alone;
  for (const auto& [hash, answer] : left) alone.push_back({nullptr, answer});
  std::ranges::sort(alone, {}, [](const Match& match) { return match.second->doc_id; });
  matches.insert(matches.end(), alone.begin(), alone.end());
  return matches;
}

std::pair<std::string, std::string> parting(const std::string& first, const std::string& second) {
  const std::u32string a = base::unicode::to_utf32(first), b = base::unicode::to_utf32(second);
  const auto [at, other] = std::ranges::mismatch(a, b);
  const auto place = static_cast<std::size_t>(at - a.begin());
  return {excerpt(a, place), excerpt(b, place)};
}

}  // namespace tare::compare
