#include "report/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "report/table.h"

namespace tare::report {
namespace {

constexpr double kLeft = 64, kTop = 40, kSide = 480, kLegend = 180;
constexpr double kRadius = 4.5;  ///< of a point

/// Told apart by readers with any colour vision (Okabe & Ito 2008).
constexpr std::array<std::string_view, 8> kColors{"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                  "#56b4e9", "#d55e00", "#f0e442", "#000000"};

using Names = std::vector<std::string>;

std::size_t place_of(Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

/// The least of 0.1, 0.2, 0.5, 1, 2, 5, ... that is not below `value`.
double round_up(double value) {
  double power = 0.1;
  while (true) {
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit * power >= value) return digit * power;
    power *= 10;
  }
}

struct Frame {
  double most = 1;  ///< of both axes
  [[nodiscard]] double x(double value) const { return kLeft + value / most * kSide; }
  [[nodiscard]] double y(double value) const { return kTop + kSide - value / most * kSide; }
};

Frame frame_of(const Scatter& scatter) {
  double most = 1.5 * scatter.radius;
  for (const ScatterPoint& point : scatter.points) most = std::max({most, point.x, point.y});
  return {round_up(most)};
}

std::string mark(std::size_t shape, double x, double y) {
  const double r = kRadius;
  switch (shape % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"", x, y, r);
    case 1:
      return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\"", x - r, y - r,
                         2 * r, 2 * r);
    case 2:
      return fmt::format("<path d=\"M{:.2f} {:.2f}l{} {}h{}z\"", x, y - r, r, 2 * r, -2 * r);
    default:
      return fmt::format("<path d=\"M{:.2f} {:.2f}l{} {}l{} {}l{} {}z\"", x, y - r, r, r, -r, r, -r,
                         -r);
  }
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     html_escaped(text));
}

std::string axes(const Scatter& scatter, const Frame& frame) {
  std::string out = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", kLeft,
      kTop, kSide, kSide);
  for (int i = 0; i <= 5; ++i) {
    const double value = frame.most * i / 5;
    out += text_at(frame.x(value), kTop + kSide + 18, "middle", fmt::format("{:.3g}", value));
    out += text_at(kLeft - 8, frame.y(value) + 4, "end", fmt::format("{:.3g}", value));
  }
  out += text_at(kLeft + kSide / 2, kTop + kSide + 40, "middle", scatter.x_label);
  out += fmt::format(
      "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      kTop + kSide / 2, html_escaped(scatter.y_label));
  return out + text_at(kLeft + kSide / 2, 22, "middle", scatter.title);
}

/// What is not severe, and the line on which every change has the same direction.
std::string regions(const Scatter& scatter, const Frame& frame) {
  const double r = scatter.radius / frame.most * kSide;
  std::string out;
  if (r > 0)
    out = fmt::format(
        "<path class=\"inside\" d=\"M{0:.2f} {1:.2f}L{2:.2f} {1:.2f}A{3:.2f} {3:.2f} 0 0 0 {0:.2f} "
        "{4:.2f}Z\" fill=\"#888\" fill-opacity=\"0.25\"><title>not severe: within {5} of no change"
        "</title></path>\n",
        frame.x(0), frame.y(0), frame.x(scatter.radius), r, frame.y(scatter.radius),
        scatter.radius);
  return out + fmt::format(
                   "<line class=\"diagonal\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" "
                   "y2=\"{:.2f}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>\n",
                   frame.x(0), frame.y(0), frame.x(frame.most), frame.y(frame.most));
}

std::string legend(const Names& colors, const Names& shapes) {
  std::string out;
  double y = kTop + 8;
  const double x = kLeft + kSide + 20;
  for (std::size_t i = 0; i < colors.size(); ++i, y += 20)
    out += mark(0, x, y) + fmt::format(" fill=\"{}\"/>\n", kColors[i % kColors.size()]) +
           text_at(x + 12, y + 4, "start", colors[i]);
  y += 12;
  for (std::size_t i = 0; i < shapes.size(); ++i, y += 20)
    out += mark(i, x, y) + " fill=\"none\" stroke=\"currentColor\"/>\n" +
           text_at(x + 12, y + 4, "start", shapes[i]);
  return out;
}

/// Points in one place hide each other: each of them tells of all.
class Titles {
 public:
  explicit Titles(const std::vector<ScatterPoint>& points) {
    for (const ScatterPoint& point : points) at_[{point.x, point.y}].push_back(&point.title);
  }
  [[nodiscard]] std::string of(const ScatterPoint& point) const {
    const auto& all = at_.at({point.x, point.y});
    std::string text = all.size() == 1 ? "" : fmt::format("{} points here\n\n", all.size());
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i)
      text += (i == 0 ? "" : "\n\n") + *all[i];
    if (all.size() > kMost) text += fmt::format("\n\n... and {} more", all.size() - kMost);
    return text;
  }

 private:
  static constexpr std::size_t kMost = 5;
  std::map<std::pair<double, double>, std::vector<const std::string*>> at_;
};

}  // namespace

std::string svg(const Scatter& scatter) {
  const Frame frame = frame_of(scatter);
  const Titles titles(scatter.points);
  Names colors, shapes;
  std::vector<std::pair<double, std::string>> points;
  for (const ScatterPoint& point : scatter.points) {
    const std::size_t color = place_of(colors, point.color), shape = place_of(shapes, point.shape);
    points.emplace_back(
        std::hypot(point.x, point.y),
        mark(shape, frame.x(point.x), frame.y(point.y)) +
            fmt::format(" fill=\"{}\" fill-opacity=\"0.75\"><title>{}</title></{}>\n",
                        kColors[color % kColors.size()], html_escaped(titles.of(point)),
                        shape % 4 == 0   ? "circle"
                        : shape % 4 == 1 ? "rect"
                                         : "path"));
  }
  std::ranges::stable_sort(points, {}, &std::pair<double, std::string>::first);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">\n<title>{}</title>\n",
      kLeft + kSide + kLegend, kTop + kSide + 56, html_escaped(scatter.title));
  out += regions(scatter, frame) + axes(scatter, frame);
  for (const auto& [distance, point] : points) out += point;
  return out + legend(colors, shapes) + "</svg>\n";
}

}  // namespace tare::report
