#include "backend/llama/quantize.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <thread>

#include "backend/llama/gguf_check.h"
#include "backend/llama/log_capture.h"
#include "base/nearest.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;

/// Formats that need no importance matrix, under the names that model files carry.
constexpr std::array<std::pair<const char*, llama_ftype>, 18> kTypes{{
    {"F32", LLAMA_FTYPE_ALL_F32},
    {"F16", LLAMA_FTYPE_MOSTLY_F16},
    {"BF16", LLAMA_FTYPE_MOSTLY_BF16},
    {"Q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
    {"Q6_K", LLAMA_FTYPE_MOSTLY_Q6_K},
    {"Q5_K_M", LLAMA_FTYPE_MOSTLY_Q5_K_M},
    {"Q5_K_S", LLAMA_FTYPE_MOSTLY_Q5_K_S},
    {"Q5_1", LLAMA_FTYPE_MOSTLY_Q5_1},
    {"Q5_0", LLAMA_FTYPE_MOSTLY_Q5_0},
    {"Q4_K_M", LLAMA_FTYPE_MOSTLY_Q4_K_M},
    {"Q4_K_S", LLAMA_FTYPE_MOSTLY_Q4_K_S},
    {"Q4_1", LLAMA_FTYPE_MOSTLY_Q4_1},
    {"Q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
    {"IQ4_NL", LLAMA_FTYPE_MOSTLY_IQ4_NL},
    {"Q3_K_L", LLAMA_FTYPE_MOSTLY_Q3_K_L},
    {"Q3_K_M", LLAMA_FTYPE_MOSTLY_Q3_K_M},
    {"Q3_K_S", LLAMA_FTYPE_MOSTLY_Q3_K_S},
    {"Q2_K", LLAMA_FTYPE_MOSTLY_Q2_K},
}};

base::Result<llama_ftype> find_type(const std::string& wanted) {
  std::string upper = wanted;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const auto& [name, type] : kTypes)
    if (upper == name) return type;
  const auto near = base::nearest_names(upper, quantize_types());
  const std::string hint =
      near.empty() ? "" : fmt::format("; did you mean {}?", base::join_or(near));
  return base::usage_error(fmt::format("type '{}' is unknown{} there are {}", wanted,
                                       hint.empty() ? ";" : hint,
                                       fmt::join(quantize_types(), ", ")));
}

/// A file beside the target that is removed unless it has become the target.
class PendingFile {
 public:
  explicit PendingFile(const fs::path& target) : target_(target), path_(target) {
    path_ += ".part";
  }
  ~PendingFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

  base::Status commit() const {
    std::error_code fault;
    fs::rename(path_, target_, fault);
    if (!fault) return {};
    return base::work_failed(fmt::format("{}: {}", target_.string(), fault.message()));
  }

 private:
  fs::path target_, path_;
};

base::Status check_output(const fs::path& input, const fs::path& output, bool force) {
  std::error_code fault;
  if (fs::equivalent(input, output, fault))
    return base::usage_error(
        fmt::format("{}: is the input too; name another output file", output.string()));
  if (!force && fs::exists(output, fault))
    return base::input_error(
        fmt::format("{}: exists; remove it, or force it to be replaced", output.string()));
  const fs::path folder = output.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, fault))
    return base::input_error(
        fmt::format("{}: there is no folder {}", output.string(), folder.string()));
  return {};
}

}  // namespace

std::vector<std::string> quantize_types() {
  std::vector<std::string> names;
  for (const auto& [name, type] : kTypes) names.emplace_back(name);
  return names;
}

base::Status quantize(const fs::path& input, const fs::path& output,
                      const QuantizeOptions& options) {
  TARE_TRY(const llama_ftype type, find_type(options.type));
  TARE_CHECK(check_gguf(input));
  TARE_CHECK(check_output(input, output, options.force));
  const LogCapture log;
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.nthread = static_cast<std::int32_t>(
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency()));
  params.ftype = type;
  params.allow_requantize = true;
  const PendingFile pending(output);
  const std::string from = input.string(), to = pending.path().string();
  if (llama_model_quantize(from.c_str(), to.c_str(), &params) != 0)
    return base::work_failed(fmt::format("{}: cannot be written as {}: {}", output.string(),
                                         options.type, log.first_error()));
  return pending.commit();
}

}  // namespace tare::backend::llama
