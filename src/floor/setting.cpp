#include "floor/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace tare::floor {
namespace {

using core::Manner;

std::string switch_text(bool on) {
  return on ? "on" : "off";
}

/// A setting of how it is computed, as text to compare and to show.
struct Factor {
  std::string_view name;
  std::string (*text)(const Setting&);
};

const std::vector<Factor>& factors() {
  static const std::vector<Factor> all{
      {kTier, [](const Setting& s) { return fmt::format("{}", fmt::join(s.tiers, " or ")); }},
      {kThreads, [](const Setting& s) { return std::to_string(s.manner.threads); }},
      {kBatch, [](const Setting& s) { return std::to_string(s.manner.batch); }},
      {kMicroBatch, [](const Setting& s) { return std::to_string(s.manner.micro_batch); }},
      {kFlashAttention, [](const Setting& s) { return switch_text(s.manner.flash_attention); }},
      {kRepack, [](const Setting& s) { return switch_text(s.manner.repack); }},
      {kKv,
       [](const Setting& s) {
         return std::string(s.manner.kv == core::KvType::f16 ? "f16" : "f32");
       }},
      {kSequences, [](const Setting& s) { return std::to_string(s.manner.sequences); }},
      {kUnifiedKv, [](const Setting& s) { return switch_text(s.manner.unified_kv); }},
      {kPrefix, [](const Setting& s) { return std::to_string(s.manner.prefix); }},
  };
  return all;
}

/// As many sequences as llama-server has slots when it is told `-np 4`.
constexpr std::size_t kSideBySide = 4;

/// Settings that each are the reference with one change.
class Changes {
 public:
  explicit Changes(const Setting& reference) : reference_(reference) {}

  void add(std::string name, const std::function<void(Setting&)>& change) {
    Setting setting = reference_;
    setting.name = std::move(name);
    change(setting);
    if (!factors_of(setting, reference_).empty()) settings.push_back(std::move(setting));
  }
  void add_rerun() {
    settings.push_back(reference_);
    settings.back().name = "rerun";
  }

  std::vector<Setting> settings;

 private:
  const Setting& reference_;
};

void add_tiers(Changes& changes) {
  changes.add("tier-avx", [](Setting& s) { s.tiers = {"sandybridge"}; });
  changes.add("tier-sse42", [](Setting& s) { s.tiers = {"sse42"}; });
  changes.add("tier-avx512", [](Setting& s) { s.tiers = {"icelake", "skylakex"}; });
}

/// Prefixes of prompts end anywhere. Half a window would often be a whole number of the kernels'
/// tiles, and so equal by luck: one less.
void add_layouts(Changes& changes, std::size_t window) {
  changes.add("prefix-kept",
              [&](Setting& s) { s.manner.prefix = std::max<std::size_t>(2, window / 2) - 1; });
  changes.add("parallel-4", [](Setting& s) { s.manner.sequences = kSideBySide; });
  changes.add("parallel-4-unified", [](Setting& s) {
    s.manner.sequences = kSideBySide;
    s.manner.unified_kv = true;
  });
}

}  // namespace

std::vector<std::string> factor_names() {
  std::vector<std::string> names;
  for (const Factor& factor : factors()) names.emplace_back(factor.name);
  return names;
}

std::vector<std::string> factors_of(const Setting& setting, const Setting& reference) {
  std::vector<std::string> names;
  for (const Factor& factor : factors())
    if (factor.text(setting) != factor.text(reference)) names.emplace_back(factor.name);
  return names;
}

bool is_pinned(const Setting& setting, const Setting& reference,
               const std::vector<std::string>& pinned) {
  const auto factors = factors_of(setting, reference);
  return std::ranges::any_of(factors, [&](const std::string& factor) {
    return std::ranges::find(pinned, factor) != pinned.end();
  });
}

bool equal_expected(const Setting& setting, const Setting& reference) {
  return std::ranges::all_of(factors_of(setting, reference),
                             [](const std::string& name) { return name == kThreads; });
}

std::string difference_text(const Setting& setting, const Setting& reference) {
  std::vector<std::string> parts;
  for (const Factor& factor : factors())
    if (factor.text(setting) != factor.text(reference))
      parts.push_back(fmt::format("{} {}", factor.name, factor.text(setting)));
  return parts.empty() ? "the same" : fmt::format("{}", fmt::join(parts, ", "));
}

Setting default_reference(std::size_t threads) {
  Setting reference{.name = "reference", .tiers = {"haswell"}, .manner = {}};
  reference.manner.threads = threads;
  return reference;
}

std::vector<Setting> default_settings(const Setting& reference, std::size_t window) {
  Changes changes(reference);
  changes.add_rerun();
  const std::size_t others = reference.manner.threads == 1 ? 2 : 1;
  changes.add(fmt::format("threads-{}", others), [&](Setting& s) { s.manner.threads = others; });
  for (const std::size_t tokens : {1, 32, 128})
    changes.add(fmt::format("ubatch-{}", tokens),
                [&](Setting& s) { s.manner.micro_batch = tokens; });
  changes.add("flash-attention", [](Setting& s) { s.manner.flash_attention = true; });
  changes.add("repack-off", [](Setting& s) { s.manner.repack = false; });
  add_tiers(changes);
  add_layouts(changes, window);
  return std::move(changes.settings);
}

}  // namespace tare::floor
