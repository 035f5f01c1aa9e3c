#include "cli/recorded_backend.h"

#include <fmt/format.h>

#include <utility>

#include "backend/byte_tokenizer.h"
#include "backend/llama/tokenizer_file.h"
#include "backend/python/weights_hash.h"
#include "backend/scripted/scripted_backend.h"
#include "cli/http_backends.h"
#include "cli/run_journal.h"
#include "cli/worker_backends.h"

namespace tare::cli {
namespace {

using base::Result;

class RecordedBackend final : public backend::Backend {
 public:
  RecordedBackend(backend::Identity identity, backend::Capabilities can,
                  core::Invariance invariance, std::shared_ptr<const core::Tokenizer> tokenizer)
      : identity_(std::move(identity)),
        can_(can),
        invariance_(std::move(invariance)),
        tokenizer_(std::move(tokenizer)) {}

  [[nodiscard]] backend::Capabilities capabilities() const override { return can_; }
  [[nodiscard]] backend::Identity identity() const override { return identity_; }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return *tokenizer_; }
  base::Status score(std::span<const backend::ScoreItem>, const Sink&, std::stop_token) override {
    return {};
  }
  base::Status generate(std::span<const backend::GenerateItem>, const GenerateSink&,
                        std::stop_token) override {
    return {};
  }
  base::Result<core::Invariance> probe(std::span<const backend::ScoreItem>,
                                       std::span<const backend::GenerateItem>,
                                       std::stop_token) override {
    return invariance_;
  }

 private:
  backend::Identity identity_;
  backend::Capabilities can_;
  core::Invariance invariance_;
  std::shared_ptr<const core::Tokenizer> tokenizer_;
};

/// The tokenizer, together with what it belongs to.
template <class Owner>
std::shared_ptr<const core::Tokenizer> kept_with(Owner owner, const core::Tokenizer& tokenizer) {
  return {std::make_shared<const Owner>(std::move(owner)), &tokenizer};
}

Result<std::shared_ptr<const core::Tokenizer>> served_tokenizer(const ModelSpec& model) {
  TARE_TRY(OpenedBackend opened, open_http(model));
  const core::Tokenizer& tokenizer = opened.backend->tokenizer();
  return kept_with(std::move(opened.backend), tokenizer);
}

Result<std::shared_ptr<const core::Tokenizer>> open_tokenizer(
    const store::JournalHeader& header, const RunOptions& options,
    const std::filesystem::path& weights) {
  if (!capabilities_of(header).token_ids) return std::make_shared<backend::ByteTokenizer>();
  if (is_worker_scheme(options.model.scheme)) {
    TARE_TRY(backend::python::Options settings, worker_options(options));
    settings.path = weights;
    TARE_TRY(auto opened, backend::python::open_tokenizer(settings));
    return std::move(opened.tokenizer);
  }
  if (options.model.scheme == "scripted") {
    TARE_TRY(auto scripted, backend::scripted::open(weights.string()));
    const core::Tokenizer& tokenizer = scripted->tokenizer();
    return kept_with(std::move(scripted), tokenizer);
  }
  if (is_http_scheme(options.model.scheme)) return served_tokenizer(options.model);
  TARE_TRY(auto file, backend::llama::open_tokenizer(weights));
  const core::Tokenizer& tokenizer = *file.tokenizer;
  return kept_with(std::move(file), tokenizer);
}

/// `known`: the hash of the file, if it has been read already.
base::Status check_weights(const std::filesystem::path& weights, const std::string& known,
                           const std::string& sha256) {
  if (sha256.empty() || known == sha256) return {};
  auto found = backend::python::weights_hash(weights);
  if (!found)
    return base::input_error(
        fmt::format("{}; the shards were computed with it: name where it is now (--model PATH)",
                    found.error().text));
  if (*found == sha256) return {};
  return base::input_error(
      fmt::format("{}: is not the model of the shards: SHA-256 {}, wanted {}; name the file that "
                  "they were computed with (--model PATH)",
                  weights.string(), *found, sha256));
}

}  // namespace

Result<std::unique_ptr<backend::Backend>> recorded_backend(const store::JournalHeader& header,
                                                           const RunOptions& options,
                                                           const std::filesystem::path& weights) {
  backend::Identity identity = identity_of(header);
  TARE_TRY(core::Invariance invariance, invariance_of(header));
  if (!is_http_scheme(options.model.scheme))  // else the file is on another machine
    TARE_CHECK(check_weights(weights, options.model.sha256, identity.weights_sha256));
  TARE_TRY(auto tokenizer, open_tokenizer(header, options, weights));
  const std::filesystem::path recorded = options.model.name;
  identity.model_path = recorded.string();
  identity.model_name = options.model.scheme == "scripted" ? recorded.string()
                                                           : backend::python::model_name(recorded);
  if (is_http_scheme(options.model.scheme)) name_served(options.model, identity);
  return std::make_unique<RecordedBackend>(std::move(identity), capabilities_of(header),
                                           std::move(invariance), std::move(tokenizer));
}

}  // namespace tare::cli
