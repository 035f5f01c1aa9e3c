#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "score/letter.h"

/// Whatever a model writes, it chooses one of the options or none, and says the same each time. A
/// text that needs too many steps is an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tare::score::choose_letter;
  static const std::array<std::string, 4> options{"Paris", "B", "the answer is C", ""};
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  const auto choice = choose_letter(answer, options);
  if (!choice) return 0;
  if (choice->option && *choice->option >= options.size()) std::abort();
  const auto again = choose_letter(answer, options);
  if (!again || again->option != choice->option || again->fault != choice->fault) std::abort();
  return 0;
}
