#include "backend/llama/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tare::backend::llama {
namespace {

using core::GenerationSettings;
using core::Token;

/// A token that may be drawn; the weight is its probability over that of the likeliest one.
struct Candidate {
  double weight = 0;
  Token token = 0;
};
using Candidates = std::vector<Candidate>;

bool likelier(const Candidate& a, const Candidate& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

Candidates softened(std::span<const float> logits, double temperature) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  Candidates candidates(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i)
    candidates[i] = {std::exp((static_cast<double>(logits[i]) - largest) / temperature),
                     static_cast<Token>(i)};
  return candidates;
}

/// Keeps those that are as likely as the k-th.
void keep_top_k(Candidates& candidates, std::int64_t k) {
  if (k <= 0 || static_cast<std::size_t>(k) >= candidates.size()) return;
  const auto last = candidates.begin() + (k - 1);
  std::nth_element(candidates.begin(), last, candidates.end(), likelier);
  const double least = last->weight;
  std::erase_if(candidates, [&](const Candidate& c) { return c.weight < least; });
}

/// Keeps the likeliest until their probability reaches p, and one at least.
void keep_top_p(Candidates& candidates, double p) {
  if (p >= 1) return;
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  double before = 0;
  std::size_t sorted = 0, kept = 0;
  while (kept < candidates.size() && (kept == 0 || before < p * total)) {
    if (kept == sorted) {  // few are kept as a rule: sort no more than is looked at
      const std::size_t end = std::min(candidates.size(), 4 * sorted + 64);
      const auto begin = candidates.begin() + static_cast<std::ptrdiff_t>(sorted);
      std::partial_sort(begin, candidates.begin() + static_cast<std::ptrdiff_t>(end),
                        candidates.end(), likelier);
      sorted = end;
    }
    before += candidates[kept++].weight;
  }
  candidates.resize(kept);
}

void keep_min_p(Candidates& candidates, double p) {
  std::erase_if(candidates, [&](const Candidate& c) { return c.weight < p; });
}

/// In float32, as transformers does it: greedy answers depend on it.
std::vector<float> penalised(std::span<const float> logits, const std::set<Token>& seen,
                             double penalty) {
  std::vector<float> result(logits.begin(), logits.end());
  for (const Token token : seen) {
    float& logit = result[static_cast<std::size_t>(token)];
    logit = logit < 0 ? logit * static_cast<float>(penalty) : logit / static_cast<float>(penalty);
  }
  return result;
}

Token draw(Candidates& candidates, double u) {
  std::ranges::sort(candidates, {}, &Candidate::token);
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  double left = u * total;
  for (const Candidate& c : candidates) {
    if (left < c.weight) return c.token;
    left -= c.weight;
  }
  return candidates.back().token;
}

base::Status wanted(bool holds, const char* name, double value, const char* range) {
  if (holds) return {};
  return base::input_error(fmt::format("{}={}: wanted {}", name, value, range));
}

}  // namespace

base::Status check_sampling(const GenerationSettings& settings) {
  if (settings.repetition_penalty)
    TARE_CHECK(wanted(*settings.repetition_penalty > 0, "repetition_penalty",
                      *settings.repetition_penalty, "more than 0"));
  if (!settings.sample) return {};
  TARE_CHECK(wanted(settings.temperature > 0 && std::isfinite(settings.temperature), "temperature",
                    settings.temperature, "more than 0 for sampling, or do_sample=false"));
  const auto fraction = [](double value) { return value >= 0 && value <= 1; };
  if (settings.top_p)
    TARE_CHECK(wanted(fraction(*settings.top_p), "top_p", *settings.top_p, "0 to 1"));
  if (settings.min_p)
    TARE_CHECK(wanted(fraction(*settings.min_p), "min_p", *settings.min_p, "0 to 1"));
  if (settings.top_k)
    TARE_CHECK(wanted(*settings.top_k >= 0, "top_k", static_cast<double>(*settings.top_k),
                      "0 (off) or more"));
  return {};
}

double uniform(std::uint64_t seed, std::uint64_t step) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  return static_cast<double>(mix(mix(seed) + (step + 1) * kStep) >> 11) * 0x1p-53;
}

Token sample(std::span<const float> logits, const GenerationSettings& settings, double u) {
  Candidates candidates = softened(logits, settings.temperature);
  if (settings.top_k) keep_top_k(candidates, *settings.top_k);
  if (settings.top_p) keep_top_p(candidates, *settings.top_p);
  if (settings.min_p) keep_min_p(candidates, *settings.min_p);
  return draw(candidates, u);
}

Sampler::Sampler(const GenerationSettings& settings, std::uint64_t seed,
                 std::span<const Token> prompt)
    : settings_(&settings), seed_(seed) {
  if (settings.repetition_penalty) seen_.insert(prompt.begin(), prompt.end());
}

Token Sampler::choose(std::span<const float> logits) {
  Token token = 0;
  if (settings_->repetition_penalty) {
    token = pick(penalised(logits, seen_, *settings_->repetition_penalty));
    seen_.insert(token);
  } else {
    token = pick(logits);
  }
  ++step_;
  return token;
}

Token Sampler::pick(std::span<const float> logits) const {
  if (settings_->sample) return sample(logits, *settings_, uniform(seed_, step_));
  return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace tare::backend::llama
