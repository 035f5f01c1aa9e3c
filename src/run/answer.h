#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tare::run {

/// Generated text as lm-eval 0.4.13 hands it on (models/utils.py postprocess_generated_text): what
/// stands up to the last `think_end` is dropped with the white space after it, then the text is cut
/// at the first occurrence of each stop string in turn. Nothing else is stripped.
std::string answer_text(std::string_view generated, std::span<const std::string> until,
                        std::string_view think_end);

}  // namespace tare::run
