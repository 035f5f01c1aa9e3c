// A calculator for the methods of docs/statistics: tare_statistics METHOD NUMBER...
//   tare_statistics mcnemar_exact 40 9 3 48
// prints 0.14599609375. A room that is used as a library wants no set-up: values in, values out.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/backend_effects.h"
#include "stats/bootstrap.h"
#include "stats/divergence.h"
#include "stats/estimates.h"
#include "stats/intervals.h"
#include "stats/multiplicity.h"
#include "stats/paired.h"
#include "stats/paired_intervals.h"
#include "stats/permutation.h"
#include "stats/power.h"
#include "stats/signed_rank.h"

namespace stats = tare::stats;

namespace {

using Numbers = std::vector<double>;

/// What cannot be computed is nothing, never zero.
Numbers or_nothing(const std::optional<double>& number) {
  return number ? Numbers{*number} : Numbers{};
}

Numbers or_nothing(const std::optional<stats::Interval>& interval) {
  return interval ? Numbers{interval->low, interval->high} : Numbers{};
}

std::size_t count(double number) {
  return static_cast<std::size_t>(number);
}

/// both right, only the first, only the second, both wrong
stats::PairedCounts pairs(const Numbers& x) {
  return {count(x.at(0)), count(x.at(1)), count(x.at(2)), count(x.at(3))};
}

/// `right` ones among `n` items.
Numbers verdicts(double right, double n) {
  Numbers x(count(n), 0.0);
  std::fill_n(x.begin(), count(right), 1.0);
  return x;
}

/// Two rows of equal length, one behind the other.
Numbers kl(const Numbers& x) {
  const std::vector<float> logits(x.begin(), x.end());
  const std::span<const float> rows(logits);
  const auto found = stats::row_divergence(rows.first(rows.size() / 2), rows.last(rows.size() / 2));
  return found ? Numbers{found->divergence} : Numbers{};
}

Numbers shares(const Numbers& x) {
  const auto found = stats::variance_shares({x.at(0), x.at(1), x.at(2)});
  return found ? Numbers{found->structural, found->sampling, found->defaults} : Numbers{};
}

Numbers signed_rank(const Numbers& x) {
  const auto found = stats::signed_rank_test(x);
  return found ? Numbers{found->p} : Numbers{};
}

Numbers sign_flip(const Numbers& x) {
  const auto found = stats::sign_flip_test(x);
  return found ? Numbers{found->p} : Numbers{};
}

Numbers wilson(const Numbers& x) {
  const stats::Interval interval = stats::wilson(count(x.at(0)), count(x.at(1)));
  return {interval.low, interval.high};
}

Numbers items_needed(const Numbers& x) {
  return {static_cast<double>(stats::items_needed(x.at(1), {.between_items = x.at(0)}))};
}

using Method = Numbers (*)(const Numbers&);

const std::map<std::string_view, Method>& methods() {
  static const std::map<std::string_view, Method> table = {
      {"mean_stderr",
       [](const Numbers& x) { return or_nothing(stats::mean_stderr(verdicts(x.at(0), x.at(1)))); }},
      {"wilson", wilson},
      {"bootstrap_interval",
       [](const Numbers& x) { return or_nothing(stats::bootstrap_interval(x)); }},
      {"difference_interval",
       [](const Numbers& x) { return or_nothing(stats::difference_interval(pairs(x))); }},
      {"kappa_interval",
       [](const Numbers& x) { return or_nothing(stats::kappa_interval(pairs(x))); }},
      {"unpaired_p",
       [](const Numbers& x) {
         return or_nothing(stats::unpaired_p({x.at(0), x.at(1)}, {x.at(2), x.at(3)}));
       }},
      {"divergence", [](const Numbers& x) { return or_nothing(stats::divergence(pairs(x))); }},
      {"disagreement", [](const Numbers& x) { return or_nothing(stats::disagreement(pairs(x))); }},
      {"mcnemar_exact", [](const Numbers& x) { return Numbers{stats::mcnemar_exact(pairs(x))}; }},
      {"mcnemar_mid_p", [](const Numbers& x) { return Numbers{stats::mcnemar_mid_p(pairs(x))}; }},
      {"kappa", [](const Numbers& x) { return or_nothing(stats::cohen_kappa(pairs(x))); }},
      {"error_overlap",
       [](const Numbers& x) { return or_nothing(stats::error_overlap(pairs(x))); }},
      {"sign_flip", sign_flip},
      {"signed_rank", signed_rank},
      {"holm", [](const Numbers& x) { return stats::holm(x); }},
      {"benjamini_hochberg", [](const Numbers& x) { return stats::benjamini_hochberg(x); }},
      {"detectable_difference",
       [](const Numbers& x) {
         return or_nothing(stats::detectable_difference(x.at(0), count(x.at(1))));
       }},
      {"items_needed", items_needed},
      {"detectable_verdicts",
       [](const Numbers& x) {
         return or_nothing(stats::detectable_verdicts(x.at(0), count(x.at(1))));
       }},
      {"verdicts_needed",
       [](const Numbers& x) {
         return Numbers{static_cast<double>(stats::verdicts_needed(x.at(1), x.at(0)))};
       }},
      {"backend_variance", [](const Numbers& x) { return or_nothing(stats::backend_variance(x)); }},
      {"variance_shares", shares},
      {"kl", kl},
  };
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto method = words.empty() ? methods().end() : methods().find(words.front());
  if (method == methods().end()) {
    std::fprintf(stderr, "usage: tare_statistics METHOD NUMBER...\nmethods:");
    for (const auto& [name, unused] : methods())
      std::fprintf(stderr, " %.*s", static_cast<int>(name.size()), name.data());
    std::fprintf(stderr, "\n");
    return 2;
  }
  Numbers numbers;
  for (std::size_t i = 1; i < words.size(); ++i) numbers.push_back(std::atof(words[i].c_str()));
  try {
    for (const double number : method->second(numbers)) std::printf("%.17g\n", number);
  } catch (const std::exception&) {
    std::fprintf(stderr, "tare_statistics: %s: too few numbers\n", words.front().c_str());
    return 2;
  }
  return 0;
}
