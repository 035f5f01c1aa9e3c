#include "backend/llama/text_cuts.h"

#include <llama.h>

#include <algorithm>
#include <array>

#include "backend/llama/model.h"

namespace tare::backend::llama {
namespace {

constexpr std::string_view kEscapedSpace = "\xe2\x96\x81";

/// Values of tokenizer.ggml.pre whose patterns match no text with a letter or digit before white
/// space, look at no character before a match, and leave no such text unmatched.
constexpr std::array<std::string_view, 50> kWordPatterns{
    "default",     "gpt-2",          "phi-2",      "olmo",       "mpt",
    "jais",        "trillion",       "exaone4",    "mellum",     "gigachat",
    "a.x-4.0",     "modern-bert",    "smollm",     "starcoder",  "refact",
    "command-r",   "codeshell",      "exaone",     "minerva-7b", "mellum2",
    "llama3",      "llama-v3",       "llama-bpe",  "falcon3",    "falcon-h1",
    "pixtral",     "midm-2.0",       "lfm2",       "dbrx",       "smaug-bpe",
    "chatglm-bpe", "glm4",           "glm5",       "qwen2",      "deepseek-r1-qwen",
    "kormo",       "megrez",         "stablelm2",  "hunyuan",    "solar-open",
    "grok-2",      "qwen35",         "falcon",     "tekken",     "gpt-4o",
    "llama4",      "deepseek-coder", "seed-coder", "bailingmoe", "granite-docling",
};

/// Those that split at line feeds alone and merge across words.
constexpr std::array<std::string_view, 2> kLinePatterns{"gemma4", "sarvam-moe"};

/// A letter or digit with `next` behind it.
bool has_word_before(std::string_view text, std::string_view next) {
  for (auto at = text.find(next, 1); at < text.size(); at = text.find(next, at + 1))
    if (is_word(text[at - 1])) return true;
  return false;
}

/// It could cover a cut, or end at one: the text behind it is then treated as after a special
/// token.
bool spans_cut(std::string_view special) {
  return !special.empty() && (is_word(special.back()) || has_word_before(special, " ") ||
                              has_word_before(special, "\n"));
}

std::vector<std::string> spanning_tokens(const llama_vocab* vocab) {
  constexpr auto kSpecial =
      LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_USER_DEFINED | LLAMA_TOKEN_ATTR_UNKNOWN;
  std::vector<std::string> texts;
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token)
    if (const std::string_view text = llama_vocab_get_text(vocab, token);
        (llama_vocab_get_attr(vocab, token) & kSpecial) != 0 && spans_cut(text))
      texts.emplace_back(text);
  return texts;
}

/// A vocabulary that merges over a whole text does not merge across `gap` if no token holds it
/// behind a letter or digit.
bool never_merges(const llama_vocab* vocab, std::string_view gap) {
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token)
    if (has_word_before(llama_vocab_get_text(vocab, token), gap)) return false;
  return true;
}

}  // namespace

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool TextCuts::allows(std::string_view text, std::size_t place) const {
  if (place == 0 || place >= text.size() || !is_word(text[place - 1])) return false;
  if (!(text[place] == ' ' ? at_space : text[place] == '\n' && at_line_feed)) return false;
  return std::ranges::none_of(spanning, [&](const std::string& special) {
    for (std::size_t before = 1; before <= std::min(place, special.size()); ++before)
      if (text.substr(place - before).starts_with(special) && is_word(special[before - 1]))
        return true;
    return false;
  });
}

std::size_t TextCuts::last(std::string_view text, std::size_t limit) const {
  if (!at_space && !at_line_feed) return 0;
  std::size_t place = std::min(limit, text.size());
  while (place > 0 && !allows(text, place)) --place;
  return place;
}

TextCuts text_cuts(const llama_model& model) {
  const llama_vocab* vocab = llama_model_get_vocab(&model);
  TextCuts cuts;
  if (llama_vocab_get_add_eos(vocab)) return cuts;
  const std::string pre = metadata(model, "tokenizer.ggml.pre");
  const std::string kind = metadata(model, "tokenizer.ggml.model");
  switch (llama_vocab_type(vocab)) {
    case LLAMA_VOCAB_TYPE_BPE:
      cuts.at_space = kind == "gpt2" && std::ranges::count(kWordPatterns, pre) > 0;
      cuts.at_line_feed = cuts.at_space || std::ranges::count(kLinePatterns, pre) > 0;
      break;
    case LLAMA_VOCAB_TYPE_SPM:
      cuts.at_space = never_merges(vocab, kEscapedSpace);
      cuts.at_line_feed = never_merges(vocab, "\n");
      break;
    default:
      return cuts;
  }
  cuts.spanning = spanning_tokens(vocab);
  return cuts;
}

}  // namespace tare::backend::llama
