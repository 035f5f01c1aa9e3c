#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "study/cells.h"
#include "study/design.h"

namespace study = tare::study;

/// Every text ends in a study that can be taken apart into cells, or in one line of error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto design = study::read_design(text, "f");
  if (!design) {
    if (design.error().text.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  constexpr std::size_t kMany = 1000;
  if (design->models.size() * design->backends.size() * design->modes.size() *
          design->benchmarks.size() * design->repetitions >
      kMany)
    return 0;
  for (const study::Cell& cell : study::cells_of(*design))
    if (!study::run_words(*design, cell, nullptr)) std::abort();
  return 0;
}
