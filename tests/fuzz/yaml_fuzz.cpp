#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/yaml.h"

namespace yaml = tare::text::yaml;

/// Every text ends in a value or in one line of error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = yaml::parse_any(text, "f");
  if (!value && value.error().text.find('\n') != std::string::npos) std::abort();
  const auto file = yaml::parse(text, "f");
  if (file && (!value || !file->root.is_dict() || !(file->marks.size() <= size))) std::abort();
  return 0;
}
