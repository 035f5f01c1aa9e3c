#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/manner.h"

/// How far answers of a model file move under settings that change nothing of the model, and
/// whether two files differ by more than that. Definitions: source 003, docs/design/floor.md.
namespace tare::floor {

/// One row of a grid.
struct Setting {
  std::string name;
  /// Tiers of which the first that this machine runs is used; never another one.
  std::vector<std::string> tiers;
  core::Manner manner;  ///< its tier is empty until it is known what the machine runs
};

struct Grid {
  Setting reference;  ///< what all others are compared with
  std::vector<Setting> settings;
  std::size_t window = 512;  ///< tokens that are computed with nothing before them
};

/// The names of settings in a grid file, and of what a pin names.
inline constexpr std::string_view kTier = "tier", kThreads = "threads", kBatch = "batch",
                                  kMicroBatch = "ubatch", kFlashAttention = "flash_attention",
                                  kRepack = "repack", kKv = "kv", kSequences = "sequences",
                                  kUnifiedKv = "unified_kv", kPrefix = "prefix";

/// All of them.
std::vector<std::string> factor_names();

/// In what a setting differs from the reference; empty for a rerun.
std::vector<std::string> factors_of(const Setting& setting, const Setting& reference);

/// True if it changes a factor that is pinned: then it cannot occur.
bool is_pinned(const Setting& setting, const Setting& reference,
               const std::vector<std::string>& pinned);

/// Source 003: "A rerun of the same configuration is bitwise identical and thread count never
/// matters."
bool equal_expected(const Setting& setting, const Setting& reference);

/// "ubatch 32", "tier sandybridge": what differs, with its values; "the same" for a rerun.
std::string difference_text(const Setting& setting, const Setting& reference);

/// llama.cpp's defaults on the AVX2 tier, without flash attention.
Setting default_reference(std::size_t threads);

/// What is changed of a reference, one thing at a time: nothing (a rerun), thread count,
/// micro-batches, flash attention, repacking, three other tiers, a prefix that is kept, sequences
/// side by side in KV caches of their own; and these in one KV cache. Without those that change
/// nothing of this reference.
std::vector<Setting> default_settings(const Setting& reference, std::size_t window);

}  // namespace tare::floor
