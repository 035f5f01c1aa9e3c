#include "cli/pin_options.h"

#include <fmt/format.h>

#include "cli/cache_dir.h"
#include "cli/install_paths.h"
#include "cli/llama_options.h"

namespace tare::cli {
namespace {

namespace llama = backend::llama;
using base::Status;
using base::usage_error;

constexpr const char* kComputedHere = "gguf";

Status contradiction(const PinFile& file, const std::string& option, const std::string& pinned) {
  return usage_error(
      fmt::format("{}: the pin {} says {}; leave the option out, or take another pin", option,
                  file.path.string(), pinned));
}

Status check_mode(const PinFile& file, bool mode_given, bool fast) {
  if (!mode_given || fast == file.pin.flash_attention) return {};
  return contradiction(file, fast ? "--mode fast" : "--mode pinned",
                       fmt::format("flash_attention: {}", file.pin.flash_attention));
}

/// An argument of the model that the pin has a word for too.
Status check_argument(const PinFile& file, const ModelSpec& model, std::string_view name,
                      std::string_view pinned) {
  for (const auto& [given, value] : model.arguments)
    if (given == name && value != pinned)
      return contradiction(file, fmt::format("--model: {}={}", name, value),
                           fmt::format("{}={}", name, pinned));
  return {};
}

std::string kv_name(bool float32) {
  return float32 ? "f32" : "f16";
}

Status check_options(const PinFile& file, bool mode_given, const RunOptions& options) {
  const core::Pin& pin = file.pin;
  if (options.cpu_tier != "auto" && options.cpu_tier != pin.tier)
    return contradiction(file, "--cpu-tier " + options.cpu_tier, "tier: " + pin.tier);
  if (options.batch != 0 && options.batch != pin.slots)
    return contradiction(file, fmt::format("--batch-size {}", options.batch),
                         fmt::format("slots: {}", pin.slots));
  TARE_CHECK(check_mode(file, mode_given, options.fast));
  TARE_CHECK(check_argument(file, options.model, "kv", kv_name(pin.float32_cache)));
  return check_argument(file, options.model, "share", pin.prefix_reuse ? "yes" : "no");
}

Status check_scheme(const std::string& option, const RunOptions& options) {
  if (options.model.scheme.empty() || options.model.scheme == kComputedHere) return {};
  return usage_error(
      fmt::format("{}: a pin says how a gguf: model is computed, and --model is {}; leave it out",
                  option, options.model.text));
}

}  // namespace

Status obey_pin(PinFile file, bool mode_given, RunOptions& options) {
  TARE_CHECK(check_scheme("--pin " + file.path.string(), options));
  if (options.write_pin)
    return usage_error("--write-pin with --pin: the pin is there already; give one of them");
  TARE_CHECK(check_options(file, mode_given, options));
  options.cpu_tier = file.pin.tier;
  options.batch = file.pin.slots;
  options.fast = file.pin.flash_attention;
  options.pin = std::move(file);
  return {};
}

void pin_backend(const core::Pin& pin, llama::Options& options) {
  options.rows = pin.micro_batch;
  options.repack = pin.repack;
  options.kv = pin.float32_cache ? llama::KvFormat::f32 : llama::KvFormat::f16;
  options.share_prefixes = pin.prefix_reuse;
}

Status check_pinned_tier(const RunOptions& options) {
  if (!options.pin) return {};
  const auto chosen = llama::choose_tier(options.pin->pin.tier, program(), cache_dir());
  if (chosen) return {};
  return base::input_error(
      fmt::format("{}: tier: {}; another tier gives other numbers: write a pin "
                  "on this machine, or use one that runs the tier",
                  options.pin->path.string(), chosen.error().text));
}

core::Pin pin_of(const llama::Options& options, const std::string& tier) {
  return {.release = llama::version(),
          .tier = tier,
          .micro_batch = options.rows,
          .flash_attention = options.mode == llama::Mode::fast,
          .repack = options.repack,
          .float32_cache = options.kv == llama::KvFormat::f32,
          .prefix_reuse = options.share_prefixes,
          .slots = options.streams};
}

Status check_pin_target(const RunOptions& options) {
  if (!options.write_pin) return {};
  TARE_CHECK(check_scheme("--write-pin " + options.write_pin->string(), options));
  return check_pin_target(*options.write_pin);
}

Status write_pin(const RunOptions& options, const backend::Backend& backend) {
  if (!options.write_pin) return {};
  TARE_TRY(const llama::Options settings, llama_options(options));
  const base::Value identity = backend.identity().settings;
  const base::Value* tier = identity.find("cpu_tier");
  if (tier == nullptr)
    return base::work_failed("--write-pin: the model does not tell its CPU tier");
  return write_pin_file(*options.write_pin, pin_of(settings, tier->as_string()));
}

}  // namespace tare::cli
