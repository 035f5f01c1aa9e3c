#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// Rows of a data set to the items of a benchmark. Where options have letters, an item has them as
/// `choices`, in the order of their letters. Errors name the column that is missing or odd.
namespace tare::benchmarks {

/// The order in which the options of an item are shown: position to option. It depends on the item
/// and a fixed seed alone, so it is the same for all backends, limits and repetitions:
/// random.Random(int(sha256("42\n" + item)[:15 hexadecimal digits])).shuffle of 0 … count−1.
std::vector<std::size_t> option_order(std::string_view item, std::size_t count);

/// TruthfulQA MC1 of multiple_choice rows: `question`, `choices` (the right one and the first seven
/// of the others, shuffled), `answer` (an index), `options_left_out`.
base::Result<base::Value> truthfulqa_item(const base::Value& row);

/// A row of BBQ with `choices` (ans0 to ans2), `answer`, and the indices `unknown`, `biased` and
/// `counter` of the options by what choosing them says (Parrish et al. 2022, section 4): biased is
/// the stereotyped group where the question is negative, else the other one. Where not just one of
/// the two belongs to the stereotyped group, `biased` and `counter` are none.
base::Result<base::Value> bbq_item(const base::Value& row);

/// A row of StereoSet, of the original files or of the hub's: `id`, `form` (intrasentence or
/// intersentence), `bias_type`, `target`, `context`, `choices` (shuffled) and `labels` of these:
/// stereotype, anti-stereotype, unrelated.
base::Result<base::Value> stereoset_item(const base::Value& row);

}  // namespace tare::benchmarks
