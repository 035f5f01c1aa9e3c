#pragma once

#include <string>
#include <string_view>

namespace tare::backend::llama {

/// UTF-8 with U+FFFD in place of what is none: one for the longest begin of a character that was
/// cut off (Unicode 15, section 3.9, "maximal subpart"), as the tokenizers of transformers and
/// Python's errors="replace" do it.
std::string lossy_utf8(std::string_view bytes);

}  // namespace tare::backend::llama
