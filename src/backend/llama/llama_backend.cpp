#include "backend/llama/llama_backend.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <chrono>

#include "backend/llama/context_settings.h"
#include "backend/llama/engine.h"
#include "backend/llama/generator.h"
#include "backend/llama/machine.h"
#include "backend/llama/memory_estimate.h"
#include "backend/llama/model.h"
#include "backend/llama/probe.h"
#include "backend/llama/sampler.h"
#include "backend/llama/vocabulary.h"
#include "backend/llama/weights_hash.h"
#include "backend/own_defaults.h"
#include "base/hash.h"

namespace tare::backend::llama {
namespace {

using base::Result;
using base::Status;
using base::usage_error;

constexpr const char* kName = "llama.cpp";
constexpr std::size_t kMostRows = 8192;

Status check_shape(const ShapeClass& shape) {
  if (shape.tile < 8 || shape.tile > 64 || shape.tile % 8 != 0)
    return usage_error(fmt::format("tile={}: wanted a multiple of 8 from 8 to 64", shape.tile));
  if (shape.grain < 1 || shape.tile % shape.grain != 0)
    return usage_error(
        fmt::format("grain={}: wanted a divisor of tile={}", shape.grain, shape.tile));
  return {};
}

Status check_options(const Options& options) {
  TARE_CHECK(check_shape(options.shape));
  const std::size_t tile = options.shape.tile;
  if (options.streams < 1 || options.streams > kMostStreams)
    return usage_error(
        fmt::format("streams={}: wanted a number from 1 to {}", options.streams, kMostStreams));
  if (options.rows < tile || options.rows > kMostRows || options.rows % tile != 0)
    return usage_error(fmt::format("rows={}: wanted a multiple of {} from {} to {}", options.rows,
                                   tile, tile, kMostRows));
  if (options.gpu_layers < 0)
    return usage_error(fmt::format("gpu_layers={}: wanted 0 or more", options.gpu_layers));
  return {};
}

/// What can change a number, the shape class aside. Threads and the size of a decode do not.
base::Dict settings_dict(const Options& options, const Tier& tier) {
  base::Dict dict;
  dict.set("mode", options.mode == Mode::pinned ? "pinned" : "fast");
  dict.set("cpu_tier", tier.name);
  dict.set("engine_sha256", engine_hash());
  dict.set("cpu_library_sha256", base::sha256_file(tier.library).value_or(""));
  dict.set("devices", device_names());
  dict.set("gpu_layers", options.gpu_layers);
  dict.set("flash_attention", options.mode == Mode::fast ? "auto" : "off");
  dict.set("repack", options.repack);
  dict.set("kv_type", options.kv == KvFormat::f32 ? "f32" : "f16");
  dict.set("kv_unified", false);
  return dict;
}

base::Dict circumstances(const Options& options) {
  base::Dict dict;
  dict.set("threads", static_cast<std::size_t>(thread_count(options)));
  dict.set("n_ubatch", options.rows);
  dict.set("streams", options.streams);
  dict.set("mmap", true);
  return dict;
}

base::Value with_shape(base::Dict settings, const ShapeClass& shape) {
  settings.set("tile", shape.tile);
  settings.set("grain", shape.grain);
  settings.set("sequences", shape.alone ? "one at a time" : "together");
  return settings;
}

class EmbeddedLlama final : public LlamaBackend {
 public:
  EmbeddedLlama(const Options& options, TierChoice choice, ModelPtr model,
                std::unique_ptr<WeightsHash> hash)
      : options_(options),
        warnings_(std::move(choice.warnings)),
        settings_(settings_dict(options, choice.tier)),
        hash_(std::move(hash)),
        model_(std::move(model)),
        vocabulary_(*model_),
        context_(model_.get(), context_settings(options)),
        engine_(context_) {}

  Capabilities capabilities() const override {
    Capabilities can = usual_capabilities();
    can.context_length = context_length();
    return can;
  }

  Identity identity() const override {
    return {.backend = kName,
            .version = version(),
            .model_path = options_.path.string(),
            .model_name = options_.path.stem().string(),
            .weights_sha256 = hash_->wait(),
            .settings = with_shape(settings_, context_.shape_class()),
            .circumstances = circumstances(options_),
            .generation_defaults = greedy_defaults()};
  }

  const core::Tokenizer& tokenizer() const override { return vocabulary_; }

  Status score(std::span<const ScoreItem> items, const Sink& sink, std::stop_token stop) override {
    for (const ScoreItem& item : items) TARE_CHECK(check(item));
    if (items.empty()) return {};
    return engine_.run(items, sink, stop);
  }

  Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                  std::stop_token stop) override {
    const FilledItems filled(items);
    for (const GenerateItem& item : filled.items()) TARE_CHECK(check(item));
    return llama::generate(context_, vocabulary_, context_length(), filled.items(), sink, stop);
  }

  /// In KV caches of its own, so that the run's own begin as if there had been no probe.
  Result<core::Invariance> probe(std::span<const ScoreItem> items,
                                 std::span<const GenerateItem> generations,
                                 std::stop_token stop) override {
    if (options_.mode == Mode::fast)
      return core::Invariance{core::InvarianceVerdict::not_promised, {}};
    const ProbeSize size = options_.thorough_probe ? kThoroughProbe : ProbeSize{};
    ContextSettings settings = context_settings(options_);
    settings.shape_class = context_.shape_class();
    // What generates alone has no company that could matter.
    if (!context_.cuttable()) generations = {};
    TARE_TRY(ProbeResult result,
             llama::probe(model_.get(), settings, make_probe_work(items, generations, size), stop));
    if (result.shape_class != context_.shape_class()) context_.set_shape_class(result.shape_class);
    return std::move(result.invariance);
  }

  std::optional<core::ComputedTokens> computed_tokens() const override {
    const Counters now = counters();
    return core::ComputedTokens{now.computed, now.padding};
  }

  Computed computed() const override {
    const Counters& counters = context_.counters();
    // A new token is computed as an input of the next one.
    return {.inputs = counters.computed - std::min(counters.computed, counters.generated),
            .generated = counters.generated,
            .places = counters.places,
            .work = counters.work,
            .planned = counters.planned,
            .projection = context_.projection_cost()};
  }

  Counters counters() const override {
    Counters counters = context_.counters();
    counters.load_seconds = load_seconds_;
    return counters;
  }

  const std::vector<core::Warning>& warnings() const override { return warnings_; }

  ShapeClass shape_class() const override { return context_.shape_class(); }

  Status set_shape_class(const ShapeClass& shape) override {
    TARE_CHECK(check_shape(shape));
    context_.set_shape_class(shape);
    return {};
  }

  void set_load_seconds(double seconds) { load_seconds_ = seconds; }

 private:
  std::size_t context_length() const {
    return options_.context_length != 0
               ? options_.context_length
               : static_cast<std::size_t>(llama_model_n_ctx_train(model_.get()));
  }

  Status check(const ScoreItem& item) const {
    const std::size_t size = item.tokens.size();
    if (item.first_scored < 1 || item.first_scored >= size)
      return base::input_error(fmt::format("item {}: scores tokens from {} of {}; wanted 1 to {}",
                                           item.id, item.first_scored, size,
                                           size == 0 ? 0 : size - 1));
    if (size - 1 > context_length())
      return base::input_error(fmt::format("item {}: has {} input tokens, the context holds {}",
                                           item.id, size - 1, context_length()));
    return check_tokens(item.id, item.tokens);
  }

  Status check(const GenerateItem& item) const {
    const std::size_t size = item.tokens.size();
    if (size < 1 || size >= context_length())
      return base::input_error(
          fmt::format("item {}: has {} prompt tokens, wanted 1 to {}, so that an answer fits into "
                      "the context",
                      item.id, size, context_length() - 1));
    if (auto status = check_sampling(*item.settings); !status)
      return base::in_context(fmt::format("item {}", item.id), status.error());
    return check_tokens(item.id, item.tokens);
  }

  Status check_tokens(std::size_t id, std::span<const core::Token> tokens) const {
    const auto outside = std::ranges::find_if(tokens, [&](core::Token token) {
      return token < 0 || static_cast<std::size_t>(token) >= vocabulary_.size();
    });
    if (outside != tokens.end())
      return base::input_error(fmt::format("item {}: token {} is outside the vocabulary of {}", id,
                                           *outside, vocabulary_.size()));
    return {};
  }

  Options options_;
  std::vector<core::Warning> warnings_;
  base::Dict settings_;
  std::unique_ptr<WeightsHash> hash_;
  ModelPtr model_;
  Vocabulary vocabulary_;
  Context context_;
  Engine engine_;
  double load_seconds_ = 0;
};

}  // namespace

Result<std::unique_ptr<LlamaBackend>> open(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  TARE_CHECK(check_options(options));
  TARE_CHECK(check_gguf(options.path));
  TARE_CHECK(check_weights_fit(options.path, std::filesystem::file_size(options.path),
                               available_memory()));
  auto hash = std::make_unique<WeightsHash>(options.path, options.sha256);
  TARE_TRY(TierChoice choice, choose_tier(options.cpu_tier, options.prober, options.cache));
  TARE_CHECK(load_libraries(choice.tier, options.gpu_layers > 0));
  TARE_TRY(ModelPtr model, load_model(options.path, options.gpu_layers, options.repack));
  auto backend = std::make_unique<EmbeddedLlama>(options, std::move(choice), std::move(model),
                                                 std::move(hash));
  backend->set_load_seconds(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return backend;
}

Capabilities usual_capabilities() {
  return {.loglikelihood = true,
          .generation = true,
          .sampling = true,
          .greedy_flag = true,
          .token_ids = true,
          .own_defaults = true,
          .repeatable_defaults = true};
}

Result<Identity> identity_before_loading(const Options& options) {
  TARE_CHECK(check_options(options));
  TARE_CHECK(check_gguf(options.path));
  TARE_TRY(const TierChoice choice, choose_tier(options.cpu_tier, options.prober, options.cache));
  TARE_CHECK(load_libraries(choice.tier, options.gpu_layers > 0));
  Identity identity;
  identity.backend = kName;
  identity.version = version();
  identity.weights_sha256 = WeightsHash(options.path, options.sha256).wait();
  identity.settings = settings_dict(options, choice.tier);
  return identity;
}

std::string version() {
  return TARE_LLAMA_PIN;
}

}  // namespace tare::backend::llama
