#include "plan/text_encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace tare::plan {
namespace {

using core::Token;

/// Tokens are runs of characters that are no space, each with the spaces before it, so that a text
/// may be cut before a space; "a b" is one token, where it may not. Counts the bytes that it reads.
class RunTokenizer final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<Token> encode(std::string_view text, bool specials) const override {
    read += text.size();
    std::vector<Token> tokens;
    if (specials) tokens.push_back(1);
    std::size_t hash = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      hash = hash * 31 + static_cast<unsigned char>(text[i]);
      if (i + 1 == text.size() || cut_at(text, i + 1)) {
        tokens.push_back(static_cast<Token>(hash % 100003));
        hash = 0;
      }
    }
    return tokens;
  }
  [[nodiscard]] std::size_t last_cut(std::string_view text, std::size_t limit) const override {
    std::size_t place = std::min(limit, text.size());
    while (place > 0 && !cut_at(text, place)) --place;
    return place;
  }
  [[nodiscard]] std::optional<Token> prefix_token() const override { return 1; }
  [[nodiscard]] std::string prefix_text() const override { return ""; }
  [[nodiscard]] std::string decode(std::span<const Token>, bool) const override { return ""; }
  [[nodiscard]] std::string end_text() const override { return ""; }

  mutable std::size_t read = 0;

 private:
  static bool cut_at(std::string_view text, std::size_t place) {
    if (place == 0 || place >= text.size() || text[place] != ' ' || text[place - 1] == ' ')
      return false;
    return text.substr(place - 1, 3) != "a b";
  }
};

TEST_CASE("texts have the same tokens whatever was encoded before them") {
  const RunTokenizer tokenizer;
  TextEncoder encoder(tokenizer);
  std::mt19937 random(7);
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text.resize(random() % (text.size() + 1));
    for (std::size_t more = random() % 12; more > 0; --more) text += "ab  x"[random() % 5];
    const bool specials = random() % 8 != 0;
    CAPTURE(text);
    REQUIRE(encoder.encode(text, specials) == tokenizer.encode(text, specials));
  }
}

TEST_CASE("what stands behind a cut can forbid it in the next text") {
  const RunTokenizer tokenizer;
  TextEncoder encoder(tokenizer);
  for (const char* text : {"xx a c", "xx a b", "xx a", "xx a b", "", "xx a b c"})
    CHECK(encoder.encode(text, true) == tokenizer.encode(text, true));
}

TEST_CASE("the beginning that texts share is read a few times, not with each of them") {
  const RunTokenizer tokenizer;
  TextEncoder encoder(tokenizer);
  const std::string block(10000, 'x');
  for (int i = 0; i < 1000; ++i) encoder.encode(block + " question " + std::to_string(i), true);
  CHECK(tokenizer.read < 3 * block.size() + 1000 * 40);
}

}  // namespace
}  // namespace tare::plan
