#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"
#include "floor/divergences.h"

namespace tare::floor {

/// What a worker computed of one window, as it is kept and sent.
struct WindowResult {
  WindowRows rows;
  std::string sha256;  ///< over all rows of logits
  double seconds = 0;  ///< of the computation, without the comparison
};

/// A dict of lists (docs/formats/floor.md). Reals come back as they were, bit for bit.
base::Value window_value(const WindowResult& result);
/// Error: what is wrong with it.
base::Result<WindowResult> read_window(const base::Value& value);

/// One line of JSON.
std::string window_text(const WindowResult& result);
base::Result<WindowResult> parse_window(std::string_view text);

}  // namespace tare::floor
