#include "cli/progress_log.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>

#include "base/json.h"

namespace tare::cli {

base::Result<ProgressLog> ProgressLog::open(const std::optional<std::filesystem::path>& path) {
  ProgressLog log;
  if (!path) return log;
  log.file_.open(*path);
  if (!log.file_)
    return base::input_error(
        fmt::format("--progress-log {}: cannot be written; name a file in a folder that is there",
                    path->string()));
  return log;
}

base::Dict ProgressLog::line(run::Phase phase) const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  base::Dict line;
  line.set("phase", std::string(run::phase_name(phase)));
  line.set("seconds", elapsed.count());
  line.set("processor_seconds", static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return line;
}

void ProgressLog::enter(run::Phase phase) {
  if (file_.is_open()) file_ << base::json::dump(line(phase)) << '\n' << std::flush;
}

void ProgressLog::write(const run::Progress& progress) {
  if (!file_.is_open()) return;
  base::Dict line = this->line(progress.phase);
  line.set("requests_done", progress.requests_done);
  line.set("requests_failed", progress.requests_failed);
  line.set("requests_total", progress.requests_total);
  line.set("unit", progress.bytes ? "bytes" : "tokens");
  line.set("asked_done", progress.asked_done);
  line.set("scored_done", progress.scored_done);
  line.set("scored_total", progress.scored_total);
  line.set("work_done", progress.work_done);
  line.set("work_total", progress.work_total);
  line.set("projection", progress.projection);
  line.set("prompts_done", progress.prompts_done);
  line.set("prompts_total", progress.prompts_total);
  line.set("answers_done", progress.answers_done);
  line.set("answers_total", progress.answers_total);
  line.set("generated", progress.generated);
  line.set("growing", progress.growing);
  line.set("places", progress.places);
  line.set("generated_most", progress.generated_most);
  file_ << base::json::dump(line) << '\n' << std::flush;
}

}  // namespace tare::cli
