#include "store/sample_lines.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {

void SampleLines::use_line(std::string_view line) {
  ++number_;
  const auto value = base::json::parse(line);
  if (value && use_(*value)) return;
  const std::string fault =
      value ? "is no sample" : fmt::format("is no sample: {}", value.error().text);
  status_ = base::input_error(
      fmt::format("{}:{}: {}; wanted a line that tare or lm-eval wrote", file_, number_, fault));
}

void SampleLines::add(std::string_view piece) {
  while (status_ && !piece.empty()) {
    const std::size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      begun_ += piece;
      return;
    }
    begun_ += piece.substr(0, end);
    use_line(begun_);
    begun_.clear();
    piece.remove_prefix(end + 1);
  }
}

base::Status SampleLines::end() {
  if (status_ && !begun_.empty()) use_line(begun_);
  return status_;
}

base::Status each_sample(const RunFiles& files, const std::string& task, const UseSample& use) {
  const std::filesystem::path path = files.samples(task);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    return base::input_error(
        fmt::format("{}: holds no {}; wanted a run with samples ({})", files.folder.string(),
                    path.filename().string(),
                    files.time.empty() ? "without --no-samples" : "lm-eval's --log_samples"));
  SampleLines lines(path.string(), use);
  TARE_CHECK(base::read_chunks(path, [&](std::string_view piece) { lines.add(piece); }));
  return lines.end();
}

std::string text_of(const base::Value& value) {
  return value.is_string() ? value.as_string() : "";
}

std::string failure_of(const base::Value& line) {
  const base::Value block = entry(line, fields::kTare);
  const base::Value own = entry(block, fields::kFailure);
  if (own.is_string()) return own.as_string();
  const base::Value responses = entry(block, fields::sample::kResponses);
  if (!responses.is_list()) return "";
  for (const base::Value& response : responses.items())
    if (const base::Value failure = entry(response, fields::kFailure); failure.is_string())
      return failure.as_string();
  return "";
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
