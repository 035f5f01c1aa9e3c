#include "data/utf8.h"

#include <fmt/format.h>

#include "base/position.h"
#include "base/unicode.h"

namespace tare::data {

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(text.substr(0, kMark.size()) == kMark ? kMark.size() : 0);
}

base::Status check_utf8(std::string_view text) {
  if (base::unicode::valid(text)) return {};
  std::size_t bad = 0;
  for (std::size_t pos = 0; pos < text.size(); bad = pos) {
    base::unicode::decode(text, pos);
    if (!base::unicode::valid(text.substr(bad, pos - bad))) break;
  }
  return base::input_error(fmt::format("{}: found {}, wanted UTF-8 text",
                                       base::line_and_column(text, bad),
                                       base::found_at(text, bad)));
}

}  // namespace tare::data
