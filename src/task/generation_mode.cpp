#include "task/generation_mode.h"

#include <algorithm>

namespace tare::task {
namespace {

using base::Dict;
using base::Value;
using core::GenerationParameters;

constexpr const char* kUntil = "until";
constexpr std::size_t kMaxTokens = 256;

Value dict(std::initializer_list<Dict::Entry> entries) {
  Dict made;
  for (const auto& [key, value] : entries) made.set(key, value);
  return made;
}

/// The numbers are those of "What We Observe as LLM Behavior Can Be a Side-effect of Inference
/// Backend" (arXiv 2608.04714). Its seed of the deterministic mode decides nothing and is left out.
std::vector<GenerationMode> make_modes() {
  const Dict::Entry length{"max_gen_toks", kMaxTokens};
  return {
      {"deterministic", GenerationParameters::given,
       dict({{"do_sample", false}, {"temperature", 0.0}, length})},
      {"fix", GenerationParameters::given,
       dict({{"do_sample", true},
             {"temperature", 0.7},
             {"top_p", 0.9},
             {"top_k", 50},
             {"repetition_penalty", 1.1},
             length})},
      {"token256", GenerationParameters::given_length, dict({length})},
      {"default", GenerationParameters::backend, dict({})},
  };
}

}  // namespace

const std::vector<GenerationMode>& generation_modes() {
  static const std::vector<GenerationMode> modes = make_modes();
  return modes;
}

const GenerationMode* find_generation_mode(std::string_view name) {
  const auto& modes = generation_modes();
  const auto found = std::ranges::find(modes, name, &GenerationMode::name);
  return found == modes.end() ? nullptr : &*found;
}

Value mode_arguments(const GenerationMode& mode, const Value& arguments) {
  Dict made;
  if (const Value* until = arguments.find(kUntil)) made.set(kUntil, *until);
  for (const auto& [key, value] : mode.arguments.as_dict()) made.set(key, value);
  return made;
}

Value named_arguments(const GenerationMode& mode, Value arguments) {
  Dict named;
  named.set("generation_mode", std::string(mode.name));
  for (const auto& [key, value] : arguments.as_dict()) named.set(key, value);
  return named;
}

}  // namespace tare::task
