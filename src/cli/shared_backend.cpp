#include "cli/shared_backend.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "floor/report.h"

namespace tare::cli {
namespace {

/// Belongs to a run; what it passes calls on to stays.
class SharedBackend : public backend::Backend {
 public:
  explicit SharedBackend(std::shared_ptr<backend::Backend> backend)
      : backend_(std::move(backend)),
        before_(backend_->computed()),
        tokens_before_(backend_->computed_tokens()) {}

  [[nodiscard]] backend::Capabilities capabilities() const override {
    return backend_->capabilities();
  }
  [[nodiscard]] backend::Identity identity() const override { return backend_->identity(); }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return backend_->tokenizer(); }
  base::Status score(std::span<const backend::ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    return backend_->score(items, sink, std::move(stop));
  }
  base::Status generate(std::span<const backend::GenerateItem> items, const GenerateSink& sink,
                        std::stop_token stop) override {
    return backend_->generate(items, sink, std::move(stop));
  }
  base::Result<core::Invariance> probe(std::span<const backend::ScoreItem> items,
                                       std::span<const backend::GenerateItem> generations,
                                       std::stop_token stop) override {
    return backend_->probe(items, generations, std::move(stop));
  }
  /// Of this run alone.
  [[nodiscard]] backend::Computed computed() const override {
    const backend::Computed now = backend_->computed();
    return {.inputs = now.inputs - before_.inputs,
            .generated = now.generated - before_.generated,
            .places = now.places - before_.places,
            .work = now.work - before_.work,
            .planned = now.planned - before_.planned,
            .projection = now.projection};
  }
  /// Of this run alone.
  [[nodiscard]] std::optional<core::ComputedTokens> computed_tokens() const override {
    const auto now = backend_->computed_tokens();
    if (!now || !tokens_before_) return now;
    return core::ComputedTokens{now->computed - tokens_before_->computed,
                                now->padding - tokens_before_->padding};
  }

 private:
  std::shared_ptr<backend::Backend> backend_;
  backend::Computed before_;
  std::optional<core::ComputedTokens> tokens_before_;
};

/// All that open_backend() looks at.
std::string key_of(const RunOptions& options) {
  const std::string manner =
      options.manner ? base::json::dump(floor::manner_value(*options.manner)) : "";
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", options.model.text, options.threads,
                     options.cpu_tier, options.batch, options.fast, options.python.string(),
                     options.pin ? options.pin->sha256 : "", manner);
}

}  // namespace

base::Result<OpenedBackend> KeptBackend::open(const RunOptions& options) {
  const std::string key = key_of(options);
  if (!backend_ || key != key_) {
    backend_.reset();  // two models may not fit side by side
    TARE_TRY(OpenedBackend opened, open_backend(options));
    backend_ = std::move(opened.backend);
    warnings_ = std::move(opened.warnings);
    key_ = key;
  }
  return OpenedBackend{std::make_unique<SharedBackend>(backend_), warnings_};
}

}  // namespace tare::cli
