#include "backend/llama/manner_backend.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <deque>

#include "backend/llama/answer.h"
#include "backend/llama/generation_plan.h"
#include "backend/llama/gguf_check.h"
#include "backend/llama/lanes.h"
#include "backend/llama/llama_backend.h"
#include "backend/llama/manner_context.h"
#include "backend/llama/row_summary.h"
#include "backend/llama/vocabulary.h"
#include "backend/llama/weights_hash.h"
#include "backend/own_defaults.h"
#include "base/hash.h"

namespace tare::backend::llama {
namespace {

using base::Result;
using base::Status;
using core::Manner;

base::Dict settings_of(const Manner& manner, const Tier& tier) {
  base::Dict dict;
  dict.set("mode", "manner");
  dict.set("cpu_tier", manner.tier);
  dict.set("engine_sha256", engine_hash());
  dict.set("cpu_library_sha256", base::sha256_file(tier.library).value_or(""));
  dict.set("n_batch", manner.batch);
  dict.set("n_ubatch", manner.micro_batch);
  dict.set("flash_attention", manner.flash_attention ? "on" : "off");
  dict.set("repack", manner.repack);
  dict.set("kv_type", manner.kv == core::KvType::f32 ? "f32" : "f16");
  dict.set("kv_unified", manner.unified_kv);
  dict.set("sequences", manner.sequences);
  dict.set("prefix", manner.prefix);
  dict.set("threads", manner.threads);
  return dict;
}

/// Items whose answers are read off the same rows: choices of one token after one prompt.
struct SharedLane {
  Lane lane;
  std::vector<const ScoreItem*> items;
};

std::span<const core::Token> inputs_of(const ScoreItem& item) {
  return std::span(item.tokens).first(item.tokens.size() - 1);
}

std::vector<SharedLane> share_lanes(std::span<const ScoreItem> items) {
  std::vector<SharedLane> lanes;
  for (const ScoreItem& item : items) {
    const auto inputs = inputs_of(item);
    const bool same = !lanes.empty() && std::ranges::equal(lanes.back().lane.tokens, inputs) &&
                      lanes.back().lane.read_from == item.first_scored - 1;
    if (!same) lanes.push_back({{inputs, item.first_scored - 1}, {}});
    lanes.back().items.push_back(&item);
  }
  return lanes;
}

/// The sums of a group of lanes while their rows come in.
class GroupSums {
 public:
  explicit GroupSums(std::span<const SharedLane> lanes) : lanes_(lanes), rows_(lanes.size()) {
    for (const SharedLane& shared : lanes)
      sums_.emplace_back(shared.items.size(), core::LogLikelihood{0, true});
  }

  void add(std::size_t lane, std::span<const float> logits) {
    const RowSummary summary = summarise(logits);
    const SharedLane& shared = lanes_[lane];
    const std::size_t position = shared.lane.read_from + rows_[lane]++;
    for (std::size_t i = 0; i < shared.items.size(); ++i) {
      const core::Token next = shared.items[i]->tokens[position + 1];
      core::LogLikelihood& sum = sums_[lane][i];
      sum.sum += static_cast<double>(logits[static_cast<std::size_t>(next)]) - summary.log_sum;
      sum.greedy = sum.greedy && summary.argmax == next;
    }
  }

  [[nodiscard]] std::vector<ScoreResult> results() const {
    std::vector<ScoreResult> all;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      for (std::size_t i = 0; i < lanes_[lane].items.size(); ++i)
        all.push_back({lanes_[lane].items[i]->id, sums_[lane][i]});
    return all;
  }

 private:
  std::span<const SharedLane> lanes_;
  std::vector<std::size_t> rows_;  ///< that were read of each lane
  std::vector<std::vector<core::LogLikelihood>> sums_;
};

Status stopped(const std::stop_token& stop) {
  if (!stop.stop_requested()) return {};
  return base::fail(base::ErrorKind::interrupted, "the work was stopped");
}

class MannerBackend final : public Backend {
 public:
  MannerBackend(std::filesystem::path path, Manner manner, base::Dict settings, ModelPtr model,
                std::unique_ptr<WeightsHash> hash)
      : path_(std::move(path)),
        manner_(std::move(manner)),
        settings_(std::move(settings)),
        hash_(std::move(hash)),
        model_(std::move(model)),
        vocabulary_(*model_) {}

  Capabilities capabilities() const override {
    Capabilities can = usual_capabilities();
    can.context_length = context_length();
    return can;
  }

  Identity identity() const override {
    return {.backend = "llama.cpp",
            .version = version(),
            .model_path = path_.string(),
            .model_name = path_.stem().string(),
            .weights_sha256 = hash_->wait(),
            .settings = settings_,
            .circumstances = base::Dict(),
            .generation_defaults = greedy_defaults()};
  }

  const core::Tokenizer& tokenizer() const override { return vocabulary_; }

  Status score(std::span<const ScoreItem> items, const Sink& sink, std::stop_token stop) override {
    const std::vector<SharedLane> lanes = share_lanes(items);
    std::size_t room = 1;
    for (const SharedLane& shared : lanes) room = std::max(room, shared.lane.tokens.size());
    TARE_TRY(Lanes context, Lanes::open(*model_, manner_, room));
    for (std::size_t begin = 0; begin < lanes.size(); begin += manner_.sequences) {
      TARE_CHECK(stopped(stop));
      const auto group =
          std::span(lanes).subspan(begin, std::min(manner_.sequences, lanes.size() - begin));
      TARE_CHECK(score_group(context, group, sink));
    }
    return {};
  }

  Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                  std::stop_token stop) override {
    const FilledItems filled(items);
    std::size_t room = 1;
    for (const GenerateItem& item : filled.items())
      room = std::max(room, item.tokens.size() + answer_room(item, context_length()));
    TARE_TRY(Lanes context, Lanes::open(*model_, manner_, room));
    for (std::size_t begin = 0; begin < items.size(); begin += manner_.sequences) {
      const auto group =
          filled.items().subspan(begin, std::min(manner_.sequences, items.size() - begin));
      TARE_CHECK(generate_group(context, group, sink, stop));
    }
    return {};
  }

  Result<core::Invariance> probe(std::span<const ScoreItem>, std::span<const GenerateItem>,
                                 std::stop_token) override {
    return core::Invariance{core::InvarianceVerdict::not_promised, {}};
  }

 private:
  std::size_t context_length() const {
    return static_cast<std::size_t>(llama_model_n_ctx_train(model_.get()));
  }

  static Status score_group(Lanes& context, std::span<const SharedLane> group, const Sink& sink) {
    std::vector<Lane> lanes;
    for (const SharedLane& shared : group) lanes.push_back(shared.lane);
    GroupSums sums(group);
    TARE_CHECK(context.begin(
        lanes, [&](std::size_t lane, std::span<const float> logits) { sums.add(lane, logits); }));
    sink(sums.results());
    return {};
  }

  Status generate_group(Lanes& context, std::span<const GenerateItem> group,
                        const GenerateSink& sink, const std::stop_token& stop) const {
    std::vector<Lane> lanes;
    std::deque<Answer> answers;
    for (const GenerateItem& item : group) {
      lanes.push_back({item.tokens, item.tokens.size() - 1});
      answers.emplace_back(item, answer_room(item, context_length()), vocabulary_);
    }
    const auto grow = [&](std::size_t lane, std::span<const float> logits) {
      answers[lane].grow(logits);
    };
    TARE_CHECK(stopped(stop));
    TARE_CHECK(context.begin(lanes, grow));
    for (;;) {
      std::vector<Row> rows;
      for (std::size_t lane = 0; lane < answers.size(); ++lane)
        if (!answers[lane].complete())
          rows.push_back({answers[lane].last_token(), answers[lane].last_position(), lane});
      if (rows.empty()) break;
      TARE_CHECK(stopped(stop));
      TARE_CHECK(context.go_on(rows, grow));
    }
    for (const Answer& answer : answers) {
      const GenerateResult result = answer.result();
      sink({&result, 1});
    }
    return {};
  }

  std::filesystem::path path_;
  Manner manner_;
  base::Dict settings_;
  std::unique_ptr<WeightsHash> hash_;
  ModelPtr model_;
  Vocabulary vocabulary_;
};

}  // namespace

Result<std::unique_ptr<Backend>> open_in_manner(const std::filesystem::path& path,
                                                const std::string& sha256, const Manner& manner) {
  TARE_CHECK(check_gguf(path));
  TARE_TRY(const Tier tier, find_tier(manner.tier));
  auto hash = std::make_unique<WeightsHash>(path, sha256);
  TARE_CHECK(load_libraries(tier, false));
  TARE_TRY(ModelPtr model, load_model(path, 0, manner.repack));
  return std::make_unique<MannerBackend>(path, manner, settings_of(manner, tier), std::move(model),
                                         std::move(hash));
}

Result<Identity> identity_in_manner(const std::filesystem::path& path, const std::string& sha256,
                                    const Manner& manner) {
  TARE_CHECK(check_gguf(path));
  TARE_TRY(const Tier tier, find_tier(manner.tier));
  Identity identity;
  identity.backend = "llama.cpp";
  identity.version = version();
  identity.weights_sha256 = WeightsHash(path, sha256).wait();
  identity.settings = settings_of(manner, tier);
  return identity;
}

}  // namespace tare::backend::llama
