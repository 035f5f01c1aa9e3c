#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "backend/http/dialect.h"

namespace tare::backend::http {
namespace {

/// The calls of items in one list: those of an item stand together.
class CallList {
 public:
  CallList(std::span<const ScoreItem> items, const Dialect& dialect) {
    ends_.reserve(items.size());
    for (const ScoreItem& item : items) ends_.push_back(size() + dialect.score_calls(item));
  }

  struct Place {
    std::size_t item = 0;
    std::size_t part = 0;
  };
  [[nodiscard]] Place place(std::size_t call) const {
    const auto item = static_cast<std::size_t>(
        std::distance(ends_.begin(), std::ranges::upper_bound(ends_, call)));
    return {item, call - begin(item)};
  }
  [[nodiscard]] std::size_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] std::size_t parts(std::size_t item) const { return ends_[item] - begin(item); }

 private:
  [[nodiscard]] std::size_t begin(std::size_t item) const {
    return item == 0 ? 0 : ends_[item - 1];
  }
  std::vector<std::size_t> ends_;
};

/// What is known of an item whose calls have not all ended.
struct Partial {
  explicit Partial(std::size_t parts) : sums(parts), missing(parts) {}
  std::vector<double> sums;  ///< added in order, whichever came first
  std::size_t missing;
  bool greedy = true;
  std::optional<core::RequestFailure> failure;

  void put(std::size_t part, const Scored& scored) {
    --missing;
    if (!scored) {
      failure = scored.error();
      return;
    }
    sums[part] = scored->sum;
    greedy = greedy && scored->greedy;
  }
  [[nodiscard]] Scored whole() const {
    if (failure) return tl::unexpected(*failure);
    return core::LogLikelihood{std::accumulate(sums.begin(), sums.end(), 0.0), greedy};
  }
};

class HttpBackend final : public Backend {
 public:
  HttpBackend(std::shared_ptr<Client> client, std::shared_ptr<const Dialect> dialect)
      : client_(std::move(client)), dialect_(std::move(dialect)) {}

  [[nodiscard]] Capabilities capabilities() const override { return dialect_->capabilities(); }
  [[nodiscard]] Identity identity() const override { return dialect_->identity(); }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return dialect_->tokenizer(); }

  base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    TARE_CHECK(dialect_->tokenizer().status());
    const CallList calls(items, *dialect_);
    std::map<std::size_t, Partial> open;
    const auto call_of = [&](std::size_t call) {
      const auto [item, part] = calls.place(call);
      return dialect_->score_call(items[item], part);
    };
    const auto done = [&](std::size_t call, const Answer& answer) {
      const auto [item, part] = calls.place(call);
      Partial& partial = open.try_emplace(item, calls.parts(item)).first->second;
      partial.put(part, read(items[item], part, answer));
      if (partial.missing > 0) return;
      const ScoreResult result{items[item].id, partial.whole()};
      open.erase(item);
      sink({&result, 1});
    };
    return client_->run(calls.size(), call_of, done, std::move(stop));
  }

  base::Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                        std::stop_token stop) override {
    TARE_CHECK(dialect_->tokenizer().status());
    const auto call_of = [&](std::size_t i) { return dialect_->generate_call(items[i]); };
    const auto done = [&](std::size_t i, const Answer& answer) {
      const GenerateResult result{items[i].id, answer ? dialect_->read_generated(items[i], *answer)
                                                      : Continued(tl::unexpected(answer.error()))};
      sink({&result, 1});
    };
    return client_->run(items.size(), call_of, done, std::move(stop));
  }

  /// How a server computes is out of sight.
  base::Result<core::Invariance> probe(std::span<const ScoreItem>, std::span<const GenerateItem>,
                                       std::stop_token) override {
    return core::Invariance{};
  }

 private:
  [[nodiscard]] Scored read(const ScoreItem& item, std::size_t part, const Answer& answer) const {
    if (!answer) return tl::unexpected(answer.error());
    return dialect_->read_score(item, part, *answer);
  }

  std::shared_ptr<Client> client_;
  std::shared_ptr<const Dialect> dialect_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::shared_ptr<Client> client,
                                      std::shared_ptr<const Dialect> dialect) {
  return std::make_unique<HttpBackend>(std::move(client), std::move(dialect));
}

}  // namespace tare::backend::http
