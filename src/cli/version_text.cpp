#include "cli/version_text.h"

#include <fmt/format.h>

#include "backend/llama/llama_backend.h"
#include "backend/python/environment.h"
#include "base/or_none.h"
#include "cli/backend_diagnosis.h"
#include "cli/build_info.h"
#include "data/dataset.h"

namespace tare::cli {
base::Value version_document() {
  base::Dict document;
  document.set("version", version());
  document.set("llama_cpp", backend::llama::version());
  document.set("arrow", base::or_none(data::parquet_version()));
  document.set("lm_eval", TARE_LM_EVAL_PIN);
  document.set("compiler", *build_info().find("compiler"));
  base::Dict environments;
  for (const std::string& name : backend::python::environment_names()) {
    const auto packages = backend::python::pinned_packages(name);
    environments.set(name, base::List(packages.begin(), packages.end()));
  }
  document.set("python_environments", std::move(environments));
  return document;
}

std::string version_text() {
  const std::string arrow = data::parquet_version();
  std::string text = version_line() + "\n";
  text += fmt::format("Arrow {}\n", arrow.empty() ? "is not built in" : arrow);
  text += fmt::format("lm-eval {}, whose numbers it gives\n", TARE_LM_EVAL_PIN);
  for (const std::string& name : backend::python::environment_names())
    text += fmt::format("python environment {}: {}\n", name,
                        told_packages(backend::python::pinned_packages(name)));
  return text;
}

}  // namespace tare::cli
