#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/value.h"
#include "compare/comparison.h"
#include "compare/rule.h"

namespace tare::compare {

/// A rule and what the comparison says about it.
struct Judged {
  Rule rule;
  Ruling ruling;
};

/// docs/formats/compare.md.
base::Value document_of(const Comparison& comparison, std::span<const Judged> rules = {});

/// A whole Markdown document: runs, differences, tables, sentences, rules.
std::string markdown(const Comparison& comparison, std::span<const Judged> rules = {});

/// The same for a screen of `width` columns; 0: any width. Of many metrics only the sentences that
/// say more than "no difference" are told, and the others counted.
std::string screen(const Comparison& comparison, std::span<const Judged> rules, std::size_t width);

/// Lines about differences for a screen: the first few of each kind, the others counted.
std::vector<std::string> difference_lines(const std::vector<Difference>& differences);

}  // namespace tare::compare
