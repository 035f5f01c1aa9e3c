#pragma once

#include <string>

#include "base/result.h"

namespace tare::base {

/// The error with the line ends of foreign names in it shown as "\n", so that it stays one line.
inline Error in_one_line(Error error) {
  std::string& text = error.text;
  for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
    text.replace(at, 1, "\\n");
  return error;
}

}  // namespace tare::base
