#include "floor/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tare::floor {

std::string nats(double value) {
  return value == 0 ? "0" : fmt::format("{:.2e}", value);
}

std::string short_nats(double value) {
  std::string text = fmt::format("{:.1e}", value);
  const std::size_t exponent = text.find('e');
  if (value == 0 || exponent == std::string::npos) return value == 0 ? "0" : text;
  return fmt::format("{}e{}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
}

std::string percent(double share) {
  if (share == 1) return "100 %";
  // What is not all of them must not look as if it were.
  return fmt::format("{:.1f} %", std::min(100 * share, 99.9));
}

}  // namespace tare::floor
