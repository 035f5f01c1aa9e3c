#include "backend/llama/quantize_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/nearest.h"

namespace tare::backend::llama {
namespace {

constexpr std::array<FileType, 39> kTypes{{
    {"F32", LLAMA_FTYPE_ALL_F32},
    {"F16", LLAMA_FTYPE_MOSTLY_F16},
    {"BF16", LLAMA_FTYPE_MOSTLY_BF16},
    {"Q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
    {"Q6_K", LLAMA_FTYPE_MOSTLY_Q6_K},
    {"Q5_K", LLAMA_FTYPE_MOSTLY_Q5_K_M},
    {"Q5_K_M", LLAMA_FTYPE_MOSTLY_Q5_K_M},
    {"Q5_K_S", LLAMA_FTYPE_MOSTLY_Q5_K_S},
    {"Q5_1", LLAMA_FTYPE_MOSTLY_Q5_1},
    {"Q5_0", LLAMA_FTYPE_MOSTLY_Q5_0},
    {"Q4_K", LLAMA_FTYPE_MOSTLY_Q4_K_M},
    {"Q4_K_M", LLAMA_FTYPE_MOSTLY_Q4_K_M},
    {"Q4_K_S", LLAMA_FTYPE_MOSTLY_Q4_K_S},
    {"Q4_1", LLAMA_FTYPE_MOSTLY_Q4_1},
    {"Q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
    {"IQ4_NL", LLAMA_FTYPE_MOSTLY_IQ4_NL},
    {"IQ4_XS", LLAMA_FTYPE_MOSTLY_IQ4_XS},
    {"MXFP4_MOE", LLAMA_FTYPE_MOSTLY_MXFP4_MOE},
    {"Q3_K", LLAMA_FTYPE_MOSTLY_Q3_K_M},
    {"Q3_K_L", LLAMA_FTYPE_MOSTLY_Q3_K_L},
    {"Q3_K_M", LLAMA_FTYPE_MOSTLY_Q3_K_M},
    {"Q3_K_S", LLAMA_FTYPE_MOSTLY_Q3_K_S},
    {"IQ3_M", LLAMA_FTYPE_MOSTLY_IQ3_M},
    {"IQ3_S", LLAMA_FTYPE_MOSTLY_IQ3_S},
    {"IQ3_XS", LLAMA_FTYPE_MOSTLY_IQ3_XS},
    {"IQ3_XXS", LLAMA_FTYPE_MOSTLY_IQ3_XXS},
    {"Q2_K", LLAMA_FTYPE_MOSTLY_Q2_K},
    {"Q2_K_S", LLAMA_FTYPE_MOSTLY_Q2_K_S},
    {"Q2_0", LLAMA_FTYPE_MOSTLY_Q2_0},
    {"IQ2_M", LLAMA_FTYPE_MOSTLY_IQ2_M},
    {"IQ2_S", LLAMA_FTYPE_MOSTLY_IQ2_S},
    {"IQ2_XS", LLAMA_FTYPE_MOSTLY_IQ2_XS},
    {"IQ2_XXS", LLAMA_FTYPE_MOSTLY_IQ2_XXS},
    {"TQ2_0", LLAMA_FTYPE_MOSTLY_TQ2_0},
    {"TQ1_0", LLAMA_FTYPE_MOSTLY_TQ1_0},
    {"IQ1_M", LLAMA_FTYPE_MOSTLY_IQ1_M},
    {"IQ1_S", LLAMA_FTYPE_MOSTLY_IQ1_S},
    {"Q1_0", LLAMA_FTYPE_MOSTLY_Q1_0},
    {kCopy, LLAMA_FTYPE_ALL_F32},
}};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const FileType& type : kTypes) all.emplace_back(type.name);
  return all;
}

}  // namespace

std::vector<FileType> file_types() {
  return {kTypes.begin(), kTypes.end()};
}

base::Result<FileType> find_file_type(const std::string& wanted) {
  std::string upper = wanted;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto* found = std::ranges::find(kTypes, upper, &FileType::name);
  if (found != kTypes.end()) return *found;
  const std::vector<std::string> all = names();
  const auto near = base::nearest_names(upper, all);
  return base::usage_error(
      fmt::format("type '{}' is unknown;{} there are {}", wanted,
                  near.empty() ? "" : fmt::format(" did you mean {}?", base::join_or(near)),
                  fmt::join(all, ", ")));
}

}  // namespace tare::backend::llama
