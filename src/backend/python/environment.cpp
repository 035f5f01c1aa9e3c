#include "backend/python/environment.h"

#include <fmt/format.h>

#include <chrono>
#include <sstream>
#include <utility>

#include "backend/python/worker_sources.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/process.h"

namespace tare::backend::python {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::List;
using base::Value;

constexpr auto kInstallLimit = std::chrono::hours(2);
constexpr std::size_t kAnswerBytes = std::size_t{1} << 20;
/// Written last.
constexpr const char* kComplete = "tare-complete";

/// A requirement file, and whether pip fetches what its packages ask for.
struct Step {
  std::string file;
  bool dependencies = true;
};

std::vector<Step> steps_of(const std::string& name) {
  if (name == "hf") return {{"hf"}};
  // vLLM asks for packages of pictures and sound that text needs none of.
  return {{"vllm"}, {"vllm-alone", false}};
}

std::string pins(const std::string& name) {
  std::string text;
  for (const Step& step : steps_of(name)) text += requirements(step.file);
  return text;
}

std::string install_line(const Environment& environment) {
  List steps;
  for (const Step& step : steps_of(environment.name)) {
    Dict one;
    one.set("requirements", requirements(step.file));
    one.set("dependencies", step.dependencies);
    steps.emplace_back(std::move(one));
  }
  Dict start;
  start.set("folder", environment.folder.string());
  start.set("steps", std::move(steps));
  return base::json::dump(start, {.ascii_only = true});
}

/// What the installer says went wrong, or what went wrong with it; "" if nothing did.
std::string fault_of(const base::Result<std::string>& answer) {
  if (!answer) return answer.error().text;
  const auto reply = base::json::parse(*answer);
  if (!reply || !reply->is_dict()) return "its answer is not understood";
  const Value* error = reply->find("error");
  return error == nullptr || !error->is_string() ? "" : error->as_string();
}

}  // namespace

std::string environment_of(const std::string& engine) {
  return engine == "vllm" ? "vllm" : "hf";
}

std::vector<std::string> environment_names() {
  return {"hf", "vllm"};
}

Environment find_environment(const std::string& name, const fs::path& cache) {
  Environment environment{name, {}, false};
  const std::string digest = base::sha256_hex(pins(name)).substr(0, 12);
  environment.folder = cache / fmt::format("python-{}-{}", name, digest);
  std::error_code fault;
  environment.complete = !cache.empty() && fs::exists(environment.folder / kComplete, fault);
  return environment;
}

std::vector<std::string> pinned_packages(const std::string& name) {
  std::vector<std::string> packages;
  std::istringstream lines(pins(name));
  for (std::string line; std::getline(lines, line);)
    if (line.find("==") != std::string::npos && !line.starts_with('#')) packages.push_back(line);
  return packages;
}

std::vector<std::string> installed_packages(const Environment& environment) {
  std::vector<std::string> packages;
  if (!environment.complete) return packages;
  const auto text = base::read_file(environment.folder / "packages.txt");
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line);) packages.push_back(line);
  return packages;
}

base::Status install(const Environment& environment, const fs::path& from, std::stop_token stop) {
  TARE_CHECK(base::ensure_writable_folder(environment.folder.parent_path()));
  TARE_TRY(auto process, base::Process::start(from, {"-I", "-c", install_source()}));
  const auto answer =
      process->exchange(install_line(environment), {kInstallLimit, kAnswerBytes, std::move(stop)});
  if (!answer && answer.error().kind == base::ErrorKind::interrupted)
    return tl::unexpected(answer.error());
  const std::string why = fault_of(answer);
  if (!why.empty())
    return base::work_failed(
        fmt::format("the Python environment {} was not made: {}; the last it "
                    "printed: {}",
                    environment.name, why, process->last_words()));
  return base::write_file(environment.folder / kComplete, "");
}

}  // namespace tare::backend::python
