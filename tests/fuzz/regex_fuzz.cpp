#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/regex.h"

namespace {

void require(bool held) {
  if (!held) std::abort();
}

/// Pieces and separators put together again must give the text, for what has no groups.
void check(const tare::text::Regex& regex, std::string_view text) {
  const auto matches = regex.find_all(text);
  if (!matches) return;
  std::size_t done = 0;
  for (const auto& match : *matches) {
    require(match.begin >= done && match.end >= match.begin);
    require(match.groups.size() == regex.group_count() + 1);
    done = match.end;
  }
  const auto same = regex.sub(text, "\\g<0>");
  const auto pieces = regex.split(text);
  require(same.has_value() && pieces.has_value());
  require(pieces->size() == matches->size() * (regex.group_count() + 1) + 1);
}

}  // namespace

/// The first line is the pattern, the rest the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 300) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = std::min(input.find('\n'), input.size());
  const auto regex = tare::text::Regex::compile(input.substr(0, line_end));
  if (!regex) {
    require(!regex.error().text.empty());
    return 0;
  }
  check(*regex, input.substr(std::min(line_end + 1, input.size())));
  return 0;
}
