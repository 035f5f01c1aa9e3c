#pragma once

#include <string>
#include <vector>

namespace tare::report {

struct ScatterPoint {
  double x = 0, y = 0;  ///< ≥ 0
  std::string shape;    ///< points of equal names here look alike in shape
  std::string color;    ///< and here in color
  std::string title;    ///< shown when the pointer rests on it
};

/// Points over two axes of the same scale that begin at 0, with the line y = x and a shaded quarter
/// circle around the origin.
struct Scatter {
  std::string title, x_label, y_label;
  double radius = 0;
  std::vector<ScatterPoint> points;
};

/// The picture as one <svg> element with a legend. Points drawn last are the farthest out.
std::string svg(const Scatter& scatter);

}  // namespace tare::report
