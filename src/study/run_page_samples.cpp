#include "study/run_page_samples.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::study {
namespace {

using Items = std::vector<store::SampledItem>;
using Warnings = std::vector<core::Warning>;

/// What the samples hold of one filter.
struct FilterLines {
  std::string filter;
  std::size_t documents = 0, repeated = 0;  ///< that have a line; that have more
};

FilterLines lines_of(const Items& items, const std::string& filter) {
  FilterLines lines{filter};
  for (const store::SampledItem& item : items) {
    const auto found = std::ranges::count(item.filters, filter, &store::ItemFilter::name);
    lines.documents += found > 0 ? 1 : 0;
    lines.repeated += found > 1 ? 1 : 0;
  }
  return lines;
}

void add_name(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Of each filter that has a score; where none has, of those of the samples.
std::vector<FilterLines> all_lines(const core::TaskRecord& task, const Items& items) {
  std::vector<std::string> names;
  for (const core::Estimate& estimate : task.score.estimates) add_name(estimate.filter, names);
  if (names.empty())
    for (const store::SampledItem& item : items)
      for (const store::ItemFilter& filter : item.filters) add_name(filter.name, names);
  if (names.empty()) names.emplace_back("none");
  std::vector<FilterLines> all;
  for (const std::string& name : names) all.push_back(lines_of(items, name));
  return all;
}

core::Warning no_samples(const ShownRun& run, const std::string& where) {
  const char* text =
      run.samples_kept
          ? "the samples file is not there, though other tasks of the run have theirs; the items "
            "cannot be shown"
          : "the run kept no samples (--no-samples, or lm-eval without --log_samples), so its "
            "items cannot be shown";
  return {"no-samples", fmt::format("{}: {}", where, text), 1};
}

}  // namespace

Warnings sample_warnings(const ShownRun& run, const core::TaskRecord& task,
                         const std::optional<Items>& items, char letter) {
  const std::string where = fmt::format("{}: run {}", task.task.name, letter);
  if (!items) return {no_samples(run, where)};
  const std::vector<FilterLines> all = all_lines(task, *items);
  const auto named = [&](const FilterLines& lines) {
    return all.size() > 1 ? fmt::format(" by the filter {}", lines.filter) : "";
  };
  Warnings warnings;
  const auto add = [&](const char* code, std::size_t count, const std::string& text) {
    warnings.push_back({code, fmt::format("{}: {}", where, text), count});
  };
  const auto counted = run.documents.find(task.task.name);
  const store::CountedDocuments wanted =
      counted == run.documents.end() ? store::CountedDocuments{} : counted->second;
  const auto [fewest, most] = std::ranges::minmax_element(all, {}, &FilterLines::documents);
  if (wanted.least && fewest->documents < *wanted.least)
    add("fewer-samples", *wanted.least - fewest->documents,
        fmt::format("the samples hold {} of {} documents{}; the items are not all that the score "
                    "is of",
                    fewest->documents, *wanted.least, named(*fewest)));
  if (wanted.most && most->documents > *wanted.most)
    add("more-samples", most->documents - *wanted.most,
        fmt::format("the samples hold {} documents{} where the results count {}; not all items "
                    "are of this score",
                    most->documents, named(*most), *wanted.most));
  const auto twice = std::ranges::max_element(all, {}, &FilterLines::repeated);
  if (twice->repeated > 0)
    add("repeated-samples", twice->repeated,
        fmt::format("{} documents stand in the samples more than once{}; the first line of each "
                    "counts",
                    twice->repeated, named(*twice)));
  return warnings;
}

}  // namespace tare::study
