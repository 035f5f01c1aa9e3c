#include "floor/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "floor/words.h"

namespace tare::floor {
namespace {

using report::html_escaped;
using report::Table;

/// A row of the grid that has numbers.
struct Spread {
  std::string file, name;
  const Divergences* numbers;
};

std::vector<Spread> spreads_of(const Findings& findings, std::size_t place) {
  const FileFindings& file = findings.files[place];
  std::vector<Spread> spreads;
  for (const SettingFindings& row : file.settings)
    if (row.divergences) spreads.push_back({file.name, row.setting.name, &*row.divergences});
  for (const PairFindings& pair : findings.pairs)
    if (pair.file == place && pair.divergences)
      spreads.push_back({file.name, "against " + findings.files.front().name, &*pair.divergences});
  return spreads;
}

std::vector<Spread> spreads_of(const Findings& findings) {
  std::vector<Spread> all;
  for (std::size_t place = 0; place < findings.files.size(); ++place)
    std::ranges::move(spreads_of(findings, place), std::back_inserter(all));
  return all;
}

/// Decades [low, high) that hold all positions with a KL above 0; none without one.
struct Decades {
  std::size_t low = 0, high = 0;
  [[nodiscard]] std::size_t bins() const { return (high - low) * Histogram::kPerDecade; }
  [[nodiscard]] static int exponent(std::size_t decade) {
    return Histogram::kLowestDecade + static_cast<int>(decade);
  }
};

std::size_t in_decade(const Histogram& histogram, std::size_t decade) {
  const auto* first = histogram.counts.data() + decade * Histogram::kPerDecade;
  return std::accumulate(first, first + Histogram::kPerDecade, std::size_t{0});
}

Decades decades_of(const std::vector<Spread>& spreads) {
  Decades decades;
  for (std::size_t decade = 0; decade < Histogram::kBins / Histogram::kPerDecade; ++decade) {
    if (std::ranges::none_of(spreads, [&](const Spread& spread) {
          return in_decade(spread.numbers->histogram, decade) > 0;
        }))
      continue;
    if (decades.high == 0) decades.low = decade;
    decades.high = decade + 1;
  }
  return decades;
}

// Pictures: a bar for the positions with a KL of 0, a gap, then a bar for each bin.
constexpr double kBar = 8, kZeroWidth = 28, kHeight = 40;

double width_of(const Decades& decades) {
  return kZeroWidth + kBar * static_cast<double>(decades.bins());
}

/// Where a KL stands.
double place_of(double divergence, const Decades& decades) {
  const double decade = std::log10(divergence) - Decades::exponent(decades.low);
  return std::clamp(kZeroWidth + decade * kBar * static_cast<double>(Histogram::kPerDecade),
                    kZeroWidth, width_of(decades));
}

std::string bar(double x, double width, std::size_t count, std::size_t most) {
  // One position of thousands is seen too.
  const double height =
      std::max(1.0, kHeight * static_cast<double>(count) / static_cast<double>(most));
  return fmt::format("M{:.0f} {:.0f}v-{:.1f}h{:.0f}v{:.1f}z", x, kHeight, height, width, height);
}

std::string mark(std::string_view name, double divergence, const Decades& decades) {
  if (!(divergence > 0)) return "";
  return fmt::format("<path class=\"{0}\" d=\"M{1:.1f} 0V{2:.0f}\"/>", name,
                     place_of(divergence, decades), kHeight);
}

std::string picture(const Spread& spread, const Decades& decades) {
  const Histogram& histogram = spread.numbers->histogram;
  const std::size_t most = std::max(histogram.zero, *std::ranges::max_element(histogram.counts));
  std::string bars, zero;
  if (histogram.zero > 0) zero = bar(2, kZeroWidth - 12, histogram.zero, most);
  const std::size_t first = decades.low * Histogram::kPerDecade;
  for (std::size_t bin = 0; bin < decades.bins(); ++bin)
    if (const std::size_t count = histogram.counts[first + bin]; count > 0)
      bars += bar(kZeroWidth + kBar * static_cast<double>(bin), kBar - 1, count, most);
  const std::string label = fmt::format(
      "{} of {}: {} of {} positions 0, median {}, 99 % below {}, most {}", spread.name, spread.file,
      histogram.zero, spread.numbers->positions, nats(spread.numbers->median),
      nats(spread.numbers->p99), nats(spread.numbers->most));
  return fmt::format(
      "<svg class=\"spread\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-label=\"{2}\"><title>{2}</title><path class=\"zero\" d=\"{3}\"/><path "
      "class=\"bars\" d=\"{4}\"/>{5}{6}</svg>",
      width_of(decades), kHeight, html_escaped(label), zero, bars,
      mark("median", spread.numbers->median, decades), mark("p99", spread.numbers->p99, decades));
}

std::string axis(const Decades& decades) {
  std::string text = fmt::format(
      "<svg class=\"spread\" viewBox=\"0 0 {0:.0f} 22\" width=\"{0:.0f}\" height=\"22\" "
      "aria-hidden=\"true\"><text x=\"10\" y=\"12\" text-anchor=\"middle\">0</text>",
      width_of(decades));
  for (std::size_t decade = decades.low; decade <= decades.high; ++decade) {
    const double x =
        kZeroWidth + kBar * static_cast<double>((decade - decades.low) * Histogram::kPerDecade);
    text += fmt::format("<path class=\"tick\" d=\"M{:.0f} 16v6\"/>", x);
    if (decade < decades.high)
      text +=
          fmt::format("<text x=\"{:.0f}\" y=\"12\">1e{}</text>", x + 1, Decades::exponent(decade));
  }
  return text + "</svg>";
}

std::string html_row(const Spread& spread, const Decades& decades) {
  const Divergences& numbers = *spread.numbers;
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"picture\">{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      html_escaped(spread.name), picture(spread, decades), percent(numbers.equal),
      nats(numbers.median), nats(numbers.p99), nats(numbers.most));
}

std::string html_table(const std::string& file, const std::vector<Spread>& spreads,
                       const Decades& decades) {
  std::string text = fmt::format(
      "<h3>{0}</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"KL of {0}\">"
      "<table>\n<thead><tr><th scope=\"col\">Setting</th><th scope=\"col\">KL of each position, "
      "nats<br>{1}</th><th scope=\"col\">Equal rows</th><th scope=\"col\">Median</th><th "
      "scope=\"col\">p99</th><th scope=\"col\">Most</th></tr></thead>\n<tbody>\n",
      html_escaped(file), axis(decades));
  for (const Spread& spread : spreads) text += html_row(spread, decades);
  return text + "</tbody></table></div>\n";
}

}  // namespace

Table distribution_table(const Findings& findings, const std::string& id) {
  const std::vector<Spread> spreads = spreads_of(findings);
  const Decades decades = decades_of(spreads);
  Table table{.id = id,
              .title = "Positions by their KL",
              .headers = {"File", "Setting", "0"},
              .rows = {},
              .labels = 2,
              .notes = {"Positions with a KL of 0, and with one of each decade from the number at "
                        "the top on, in nats."}};
  for (std::size_t decade = decades.low; decade < decades.high; ++decade)
    table.headers.push_back(fmt::format("1e{}", Decades::exponent(decade)));
  for (const Spread& spread : spreads) {
    std::vector<std::string> row{spread.file, spread.name,
                                 std::to_string(spread.numbers->histogram.zero)};
    for (std::size_t decade = decades.low; decade < decades.high; ++decade)
      row.push_back(std::to_string(in_decade(spread.numbers->histogram, decade)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string distributions_html(const Findings& findings) {
  const Decades decades = decades_of(spreads_of(findings));
  std::string text =
      "<section id=\"distributions\">\n<h2>KL of positions</h2>\n<p class=\"note\">Each picture "
      "counts positions by KL(reference‖setting), in quarters of a decade; the bar at the left "
      "stands for a KL of 0. The greatest bar of a row is as high as the row. Solid line: median; "
      "dashed: 99 % of the positions are below.</p>\n";
  for (std::size_t place = 0; place < findings.files.size(); ++place)
    if (const auto spreads = spreads_of(findings, place); !spreads.empty())
      text += html_table(findings.files[place].name, spreads, decades);
  return text + "</section>\n";
}

}  // namespace tare::floor
