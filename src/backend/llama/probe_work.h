#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/backend.h"

/// What a probe computes: few and short sequences, so that its cost is a number of rows, not of
/// seconds. Pure: the same questions give the same work.
namespace tare::backend::llama {

/// Lengths in tokens. The run's own are chosen so that no length is a multiple of a tile.
struct ProbeSize {
  std::size_t prefix = 13;     ///< that the first three items share
  std::size_t long_tail = 9;   ///< behind it, scored
  std::size_t short_tail = 3;  ///< likewise; a third tail has one token
  std::size_t separate = 23;   ///< the fourth item, scored from its second token on
  std::size_t company = 4;     ///< sequences as long as that one, computed once beside all items
  std::size_t answer = 2;      ///< tokens that follow a prompt one by one
};

/// For `tare doctor`: decodes as large as those of runs.
inline constexpr ProbeSize kThoroughProbe{
    .prefix = 45, .long_tail = 70, .short_tail = 5, .separate = 119, .company = 4, .answer = 4};

/// The items that all trials compute.
enum ProbeItem : std::size_t { kLongTail, kShortTail, kOneToken, kSeparate, kProbeItems };

struct ProbeWork {
  std::vector<ScoreItem> items;    ///< by ProbeItem, which is their id too; empty: nothing to ask
  std::vector<ScoreItem> company;  ///< ids from kProbeItems on
  /// Prompts with the tokens that follow them, first_scored being the first of these; empty for
  /// questions that want no answers in words.
  std::vector<ScoreItem> answers;
};

/// Cuts the questions' tokens, one after the other, into pieces of these lengths; it starts again
/// with the first ones where there are too few.
ProbeWork make_probe_work(std::span<const ScoreItem> items,
                          std::span<const GenerateItem> generations, const ProbeSize& size);

}  // namespace tare::backend::llama
