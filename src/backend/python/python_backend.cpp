#include "backend/python/python_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/python/model_worker.h"
#include "backend/python/weights_hash.h"
#include "backend/python/worker_sources.h"
#include "backend/python/worker_tokenizer.h"
#include "base/hash.h"

namespace tare::backend::python {
namespace {

using base::Dict;
using base::Result;
using base::Value;

/// An engine and the libraries that make its version, the outermost first.
struct Engine {
  std::string_view name;
  std::array<std::string_view, 2> libraries;
  bool scores = false;  ///< texts that are given
};

constexpr std::array kEngines{
    Engine{"hf", {"transformers", "torch"}, true},
    Engine{"hf-pipeline", {"transformers", "torch"}},
    Engine{"langchain-hf", {"langchain-huggingface", "transformers"}},
    Engine{"vllm", {"vllm", "torch"}, true},
};

const Engine& engine_of(const std::string& name) {
  return *std::ranges::find(kEngines, name, &Engine::name);
}

Capabilities abilities(bool scores, bool generates) {
  return {.loglikelihood = scores,
          .generation = generates,
          .sampling = generates,
          .greedy_flag = scores,
          .token_ids = true,
          .own_defaults = true};
}

std::string version_text(const Engine& engine, const Value& versions) {
  std::string text;
  for (const std::string_view library : engine.libraries) {
    const Value* version = versions.find(library);
    if (version == nullptr || !version->is_string()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", library, version->as_string());
  }
  return text;
}

/// Of the Python side's own text, which decides answers too.
std::string worker_hash() {
  std::string all;
  for (const auto& [name, text] : worker_sources()) all += text;
  return base::sha256_hex(all);
}

Result<std::unique_ptr<ModelWorker>> start_worker(const Options& options, const std::string& sha256,
                                                  bool weights) {
  WorkerOptions worker;
  worker.interpreter = options.interpreter;
  worker.settings = {.engine = options.engine,
                     .path = std::filesystem::absolute(options.path).string(),
                     .weights_sha256 = sha256,
                     .cache = (options.cache / "python-weights").string(),
                     .dtype = options.dtype,
                     .threads = options.threads,
                     .context_length = options.context_length,
                     .weights = weights};
  worker.item_limit = options.item_limit;
  worker.most_restarts = options.most_restarts;
  worker.warn = options.warn;
  return ModelWorker::start(std::move(worker));
}

/// Items that may be asked together stand next to each other and have the same settings.
template <class Item>
std::size_t batch_end(std::span<const Item> items, std::size_t begin, std::size_t most) {
  std::size_t end = begin + 1;
  if constexpr (requires { items[0].settings; }) {
    while (end < items.size() && end - begin < most && items[end].settings == items[begin].settings)
      ++end;
  } else {
    end = std::min(begin + most, items.size());
  }
  return end;
}

class PythonBackend final : public Backend {
 public:
  PythonBackend(const Options& options, std::string sha256, std::unique_ptr<ModelWorker> worker)
      : options_(options),
        sha256_(std::move(sha256)),
        worker_(std::move(worker)),
        tokenizer_(*worker_) {}

  [[nodiscard]] Capabilities capabilities() const override {
    const Hello& hello = worker_->hello();
    Capabilities can = abilities(hello.can_score, hello.can_generate);
    can.context_length =
        options_.context_length != 0 ? options_.context_length : hello.context_length;
    return can;
  }

  [[nodiscard]] Identity identity() const override {
    const Hello& hello = worker_->hello();
    return {.backend = options_.engine,
            .version = version_text(engine_of(options_.engine), hello.versions),
            .model_path = options_.path.string(),
            .model_name = model_name(options_.path),
            .weights_sha256 = sha256_,
            .settings = settings(),
            .circumstances = circumstances(),
            .generation_defaults = hello.generation};
  }

  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return tokenizer_; }

  base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    return in_batches<ScoreResult>(items, sink, [&](std::span<const ScoreItem> batch) {
      for (const ScoreItem& item : batch) computed_.inputs += item.tokens.size() - 1;
      return worker_->score(batch, stop);
    });
  }

  base::Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                        std::stop_token stop) override {
    return in_batches<GenerateResult>(items, sink, [&](std::span<const GenerateItem> batch) {
      for (const GenerateItem& item : batch) computed_.inputs += item.tokens.size();
      auto answers = worker_->generate(batch, stop);
      if (answers)
        for (const Continued& answer : *answers)
          if (answer) computed_.generated += answer->tokens.size();
      computed_.places = computed_.generated;
      return answers;
    });
  }

  /// What is computed beside an item is another item of its batch at most, and batches are in the
  /// library's hands: nothing is measured.
  base::Result<core::Invariance> probe(std::span<const ScoreItem>, std::span<const GenerateItem>,
                                       std::stop_token) override {
    return core::Invariance{};
  }

  [[nodiscard]] std::optional<core::ComputedTokens> computed_tokens() const override {
    return core::ComputedTokens{computed_.inputs + computed_.generated, 0};
  }

  [[nodiscard]] Computed computed() const override { return computed_; }

 private:
  [[nodiscard]] Dict circumstances() const {
    Dict circumstances;
    circumstances.set("timeout_seconds", options_.item_limit.count());
    return circumstances;
  }

  [[nodiscard]] Dict settings() const {
    const Hello& hello = worker_->hello();
    Dict settings = hello.settings.as_dict();
    settings.set("versions", hello.versions);
    settings.set("worker_sha256", worker_hash());
    settings.set("batch", options_.batch);
    settings.set("chat_template_sha256",
                 hello.chat_template.empty() ? "" : base::sha256_hex(hello.chat_template));
    return settings;
  }

  template <class Outcome, class Item, class SinkOf, class Ask>
  base::Status in_batches(std::span<const Item> items, const SinkOf& sink, const Ask& ask) {
    TARE_CHECK(tokenizer_.status());
    for (std::size_t begin = 0; begin < items.size();) {
      const std::size_t end = batch_end(items, begin, options_.batch);
      const auto batch = items.subspan(begin, end - begin);
      TARE_TRY(auto answers, ask(batch));
      std::vector<Outcome> results;
      for (std::size_t i = 0; i < batch.size(); ++i)
        results.push_back({batch[i].id, std::move(answers[i])});
      sink(results);
      begin = end;
    }
    return {};
  }

  Options options_;
  std::string sha256_;
  std::unique_ptr<ModelWorker> worker_;
  WorkerTokenizer tokenizer_;
  Computed computed_;
};

/// A tokenizer and the process that it asks.
struct KeptTokenizer {
  explicit KeptTokenizer(std::unique_ptr<ModelWorker> started)
      : worker(std::move(started)), tokenizer(*worker) {}
  std::unique_ptr<ModelWorker> worker;
  WorkerTokenizer tokenizer;
};

}  // namespace

Capabilities usual_capabilities(const std::string& engine) {
  return abilities(engine_of(engine).scores, true);
}

bool is_engine(const std::string& name) {
  return std::ranges::find(kEngines, name, &Engine::name) != kEngines.end();
}

std::string model_name(const std::filesystem::path& path) {
  const auto name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return (name.extension() == ".gguf" ? name.stem() : name).string();
}

Result<std::unique_ptr<Backend>> open(const Options& options) {
  TARE_CHECK(check_weights(options.path));
  TARE_TRY(std::string sha256, weights_hash(options.path));
  TARE_TRY(auto worker, start_worker(options, sha256, true));
  return std::make_unique<PythonBackend>(options, std::move(sha256), std::move(worker));
}

Result<OpenedTokenizer> open_tokenizer(const Options& options) {
  TARE_CHECK(check_weights(options.path));
  TARE_TRY(const std::string sha256, weights_hash(options.path));
  TARE_TRY(auto worker, start_worker(options, sha256, false));
  const std::size_t length = worker->hello().context_length;
  const auto kept = std::make_shared<KeptTokenizer>(std::move(worker));
  return OpenedTokenizer{{kept, &kept->tokenizer}, length};
}

}  // namespace tare::backend::python
