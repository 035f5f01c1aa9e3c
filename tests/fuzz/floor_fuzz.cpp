#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "floor/grid_file.h"
#include "floor/window_text.h"

namespace tare_floor = tare::floor;

/// Every text ends in a grid with settings or in one line of error; rows of any text too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto grid = tare_floor::read_grid(
      text, "f", {.threads = 2, .window = 512, .tiers = {"haswell", "sse42"}});
  if (!grid && grid.error().text.find('\n') != std::string::npos) std::abort();
  if (grid)
    for (const tare_floor::Setting& setting : grid->settings)
      if (setting.tiers.empty() || setting.manner.micro_batch > setting.manner.batch) std::abort();
  const auto window = tare_floor::parse_window(text);
  if (window && window->rows.equal.size() != window->rows.divergence.size()) std::abort();
  return 0;
}
