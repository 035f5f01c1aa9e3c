#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// Values of options that hold several things.
namespace tare::cli {

/// The words of a list given once or several times, separated by commas.
std::vector<std::string> split_words(const std::vector<std::string>& arguments);

/// The parts between separators outside of brackets and quotes; without empty ones.
std::vector<std::string> split_top_level(std::string_view text, char separator);

/// "k=v,k=v", "k=v k=v" or a JSON object to a dict, as lm-eval reads --model_args and --gen_kwargs:
/// true and false, whole and real numbers, Python literals, else text. `option` is named in errors.
/// None for an empty text.
base::Result<base::Value> parse_arguments(const std::string& option, const std::string& text);

/// The same of an option given with several words or several times; later words win.
base::Result<base::Value> merge_arguments(const std::string& option,
                                          const std::vector<std::string>& words);

}  // namespace tare::cli
