#include "backend/llama/quantize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <stop_token>

#include "base/files.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/tell.h"
#include "cli/terminal.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using backend::llama::Quantized;
using backend::llama::QuantizeOptions;

base::Value document(const std::string& out, const Quantized& found) {
  base::Dict dict, tensors;
  for (const auto& [type, count] : found.tensors) tensors.set(type, count);
  dict.set("file", out);
  dict.set("type", found.type);
  dict.set("bytes", found.bytes);
  dict.set("bits_per_weight", found.bits_per_weight);
  dict.set("tensors", std::move(tensors));
  dict.set("sha256", found.sha256);
  return dict;
}

void print(const std::string& out, const Quantized& found) {
  std::string tensors;
  for (const auto& [type, count] : found.tensors)
    tensors += fmt::format("{}{} {}", tensors.empty() ? "" : ", ", count, type);
  print_fitted(fmt::format("{}: {}, {} bytes, {:.2f} bits per weight\ntensors: {}\nSHA-256: {}\n",
                           in_one_line(out), found.type, found.bytes, found.bits_per_weight,
                           tensors, found.sha256));
}

/// llama.cpp's quantizer cannot be asked to stop: the program ends without it.
base::Result<Quantized> quantize_or_end(const fs::path& in, const fs::path& out,
                                        QuantizeOptions options) {
  options.draft = base::draft_name(out);
  InterruptGuard interrupt;
  const std::stop_callback end(interrupt.token(), [&] {
    std::error_code ignored;
    fs::remove(options.draft, ignored);
    tell("tare: interrupted; what was begun of {} is removed\n", out.string());
    std::_Exit(kInterrupted);
  });
  return backend::llama::quantize(in, out, options);
}

}  // namespace

ExitCode quantize_command(std::vector<std::string> args) {
  QuantizeOptions options;
  std::string in, out, importance;
  bool json = false;
  CLI::App app("Writes a model file in another number format.", "tare quantize");
  app.add_option("in", in, "the GGUF file to read")->required()->type_name(kFile);
  app.add_option("out", out, "the GGUF file to write")->required()->type_name(kFile);
  app.add_option("type", options.type, "F32, F16, BF16, Q8_0, Q4_K_M, IQ3_S, ... or COPY")
      ->required();
  app.add_option("--imatrix", importance, "importance matrix, as llama-imatrix writes it")
      ->type_name(kFile);
  app.add_flag("--leave-output-tensor", options.leave_output,
               "leave the output matrix in the format that it has");
  app.add_flag("--pure", options.pure, "all tensors alike, without llama.cpp's mixtures");
  app.add_option("--threads", options.threads, "CPU threads (default: all)")->type_name(kCount);
  app.add_flag("--force", options.force, "replace OUT");
  app.add_flag("--json", json, "print what was written as JSON");
  if (const auto code = parse(app, std::move(args))) return *code;
  options.importance = importance;
  const auto found = quantize_or_end(in, out, options);
  if (!found) return report(found.error());
  if (!found->coarse.empty())
    tell("tare: note: {} holds {} already: what was lost then stays lost\n", in,
         fmt::join(found->coarse, ", "));
  if (json) {
    print_text(base::json::dump(document(out, *found)) + "\n");
  } else {
    print(out, *found);
  }
  return kDone;
}

}  // namespace tare::cli
