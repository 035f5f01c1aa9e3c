#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json.h"

namespace json = tare::base::json;

namespace {

/// tare reads Python's tokens and numbers beyond a double; nlohmann skips a byte order mark and
/// takes a NUL for the end.
bool may_differ(std::string_view text) {
  constexpr std::string_view kMarks("NIeE\0", 5);
  return text.find_first_of(kMarks) != text.npos || text.size() > 250 ||
         text.starts_with("\xEF\xBB\xBF");
}

}  // namespace

/// A text that is read prints, reads again as the same, and is one that nlohmann reads too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = json::parse(text);
  if (!may_differ(text) && value.has_value() != nlohmann::json::accept(text)) std::abort();
  if (!value) return 0;
  const std::string line = json::dump(*value);
  for (const json::Style style : {json::Style{}, json::Style{2, false}, json::Style{-1, true}}) {
    const auto again = json::parse(json::dump(*value, style));
    if (!again || json::dump(*again) != line) std::abort();
  }
  return 0;
}
