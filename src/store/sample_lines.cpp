#include "store/sample_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/results.h"
#include "store/run_block.h"

namespace tare::store {

base::Status each_sample(const std::filesystem::path& folder, const std::string& task,
                         const std::function<bool(const base::Value& line)>& use) {
  const std::filesystem::path path = folder / samples_file_name(task);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    return base::input_error(
        fmt::format("{}: holds no {}; wanted a run with samples (without --no-samples)",
                    folder.string(), path.filename().string()));
  TARE_TRY(const std::string text, base::read_file(path));
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto line = base::json::parse(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!line || !use(*line))
      return base::input_error(fmt::format(
          "{}:{}: is no sample; wanted a line that tare or lm-eval wrote", path.string(), number));
  }
  return {};
}

std::string text_of(const base::Value& value) {
  return value.is_string() ? value.as_string() : "";
}

std::vector<std::pair<std::string, base::Value>> metrics_of(const base::Value& line) {
  std::vector<std::pair<std::string, base::Value>> metrics;
  const base::Value names = entry(line, fields::lm_eval::kMetrics);
  for (const base::Value& name : names.items())
    if (name.is_string())
      metrics.emplace_back(name.as_string(), entry(line, name.as_string().c_str()));
  return metrics;
}

}  // namespace tare::store
