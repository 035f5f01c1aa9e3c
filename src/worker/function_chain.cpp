#include "worker/function_chain.h"

#include <fmt/format.h>

namespace tare::worker {

FunctionChain::FunctionChain(std::vector<std::unique_ptr<core::Functions>> links)
    : links_(std::move(links)) {}

core::Functions* FunctionChain::knower(const core::FunctionRef& function,
                                       core::FunctionUse use) const {
  for (const auto& link : links_)
    if (link->knows(function, use)) return link.get();
  return nullptr;
}

bool FunctionChain::knows(const core::FunctionRef& function, core::FunctionUse use) const {
  return knower(function, use) != nullptr;
}

base::Result<base::Value> FunctionChain::call(const core::FunctionRef& function,
                                              core::FunctionUse use,
                                              std::span<const base::Value> arguments) {
  core::Functions* link = knower(function, use);
  if (link == nullptr) return base::input_error(refusal(function));
  return link->call(function, use, arguments);
}

std::string refusal(const core::FunctionRef& function) {
  const std::string file = function.sha256.empty()
                               ? "no helper file beside the task"
                               : "helper file SHA-256 " + function.sha256.substr(0, 12) + "…";
  return fmt::format(
      "!function {} ({}) is Python that tare has no native twin for; run it with --allow-python, "
      "or "
      "choose a task without it",
      function.name, file);
}

base::Result<OpenFunctions> open_functions(std::vector<std::unique_ptr<core::Functions>> built_in,
                                           const PythonOptions* python) {
  OpenFunctions open;
  if (python != nullptr) {
    TARE_TRY(auto functions, PythonFunctions::start(*python));
    open.python = functions.get();
    built_in.push_back(std::move(functions));
  }
  open.chain = std::make_unique<FunctionChain>(std::move(built_in));
  return open;
}

}  // namespace tare::worker
