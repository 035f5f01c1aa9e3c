#include "store/journal_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "store/fields.h"

namespace tare::store {
namespace {

namespace field = fields::journal;
using base::Dict;
using base::Value;

constexpr std::size_t kLongestValue = 40;
constexpr std::size_t kMostDifferences = 3;

/// The part of a value that shows how it differs from another one.
std::string around(std::string text, std::size_t first_difference) {
  if (text.size() <= kLongestValue) return text.empty() ? "empty" : text;
  if (first_difference > kLongestValue / 2)
    text = "..." + text.substr(first_difference - kLongestValue / 4);
  if (text.size() > kLongestValue) text = text.substr(0, kLongestValue - 3) + "...";
  return text;
}

Difference difference(std::string what, const std::string& there, const std::string& here) {
  const auto differ = std::ranges::mismatch(there, here);
  const auto first = static_cast<std::size_t>(differ.in1 - there.begin());
  return {std::move(what), around(there, first), around(here, first)};
}

std::string shown(const Value* value) {
  if (value == nullptr) return "missing";
  if (value->is_none()) return "not set";
  if (value->is_real()) return fmt::format("{}", value->as_real());
  return value->is_string() ? value->as_string() : base::json::dump(*value);
}

std::string flag(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

/// The setting at the end of a path of keys, as a user knows it.
std::string words(std::span<const std::string> path) {
  if (path.empty()) return "the settings";
  if (path[0] == field::kOptions && path.size() > 1)
    return fmt::format("{}{}{}", flag(path[1]), path.size() > 2 ? " " : "",
                       fmt::join(path.subspan(2), " "));
  if (path.back() == fields::given::kWeightsSha256) return "SHA-256 of the model file";
  if (path.size() == 3 && path[1] == fields::given::kBackendSettings)
    return fmt::format("{} {}", path[0], path[2]);
  if (path[0] == field::kTasks && path.size() == 4)
    return fmt::format("task {}, SHA-256 of {}", path[1], path[3]);
  if (path[0] == field::kTasks && path.size() > 1) return "task " + path[1];
  if (path[0] == field::kGroups && path.size() > 1)
    return fmt::format("group {}", fmt::join(path.subspan(1), ", "));
  return fmt::format("{}", fmt::join(path, " "));
}

/// Walks two values side by side.
class Comparison {
 public:
  void compare(const Value* there, const Value* here) {
    if (there != nullptr && here != nullptr && *there == *here) return;
    if (there == nullptr || here == nullptr || !there->is_dict() || !here->is_dict()) {
      found_.push_back(difference(words(path_), shown(there), shown(here)));
      return;
    }
    Dict keys = there->as_dict();
    for (const auto& [key, value] : here->as_dict()) keys.set(key, value);
    for (const auto& [key, value] : keys) {
      path_.push_back(key.as_string());
      compare(there->find(key.as_string()), here->find(key.as_string()));
      path_.pop_back();
    }
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<std::string> path_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const JournalHeader& there, const JournalHeader& here) {
  Comparison settings;
  settings.compare(&there.settings, &here.settings);
  std::vector<Difference> found = settings.take();
  if (there.shard != here.shard || there.shards != here.shards)
    found.push_back({"--shard", fmt::format("{}/{}", there.shard, there.shards),
                     fmt::format("{}/{}", here.shard, here.shards)});
  if (!found.empty()) return found;
  if (there.requests != here.requests)
    found.push_back({"the number of requests", fmt::format("{}", there.requests),
                     fmt::format("{}", here.requests)});
  else if (there.requests_sha256 != here.requests_sha256)
    found.push_back(
        difference("SHA-256 of the prompts' tokens", there.requests_sha256, here.requests_sha256));
  return found;
}

std::string text_of(std::span<const Difference> differences) {
  std::string text;
  for (const Difference& one : differences.first(std::min(differences.size(), kMostDifferences)))
    text += fmt::format("{}{} is {} there and {} here", text.empty() ? "" : "; ", one.what,
                        one.there, one.here);
  if (differences.size() > kMostDifferences)
    text += fmt::format("; and {} more", differences.size() - kMostDifferences);
  return text;
}

}  // namespace tare::store
