#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "backend/llama/quantize.h"
#include "cli/command.h"
#include "cli/parse.h"
#include "cli/tell.h"

namespace tare::cli {

ExitCode quantize_command(std::vector<std::string> args) {
  backend::llama::QuantizeOptions options;
  std::string in, out;
  CLI::App app("Writes a model file in another number format.", "tare quantize");
  app.add_option("in", in, "the GGUF file to read")->required();
  app.add_option("out", out, "the GGUF file to write")->required();
  app.add_option("type", options.type, "F32, F16, BF16, Q8_0, Q4_K_M, ...")->required();
  app.add_option("--threads", options.threads, "CPU threads (default: all)");
  app.add_flag("--force", options.force, "overwrite OUT");
  if (const auto code = parse(app, std::move(args))) return *code;
  const base::Status status = backend::llama::quantize(in, out, options);
  if (!status) return report(status.error());
  tell("{} written\n", out);
  return kDone;
}

}  // namespace tare::cli
