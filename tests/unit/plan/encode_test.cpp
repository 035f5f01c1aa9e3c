#include "plan/encode.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace tare::plan {
namespace {

using core::Token;

constexpr Token kBos = 1;

/// A tokenizer with one merge that crosses words ("a b" is one token), a BOS and special text, so
/// that each rule of the pair encoding shows.
class ToyTokenizer final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<Token> encode(std::string_view text, bool specials) const override {
    std::vector<Token> tokens;
    if (specials && adds_bos) tokens.push_back(kBos);
    while (!text.empty()) {
      const std::string_view piece = next_piece(text);
      tokens.push_back(piece == "<s>" ? kBos : Token{100 + piece[0]});
      if (piece == "a b") tokens.back() = 50;
      text.remove_prefix(piece.size());
    }
    return tokens;
  }
  [[nodiscard]] std::optional<Token> prefix_token() const override { return kBos; }
  [[nodiscard]] std::string prefix_text() const override { return "<s>"; }
  [[nodiscard]] std::string decode(std::span<const Token> tokens, bool) const override {
    std::string text;
    for (const Token token : tokens)
      if (token >= 100) text += static_cast<char>(token - 100);
    return text;
  }
  [[nodiscard]] std::string end_text() const override { return ""; }

  bool adds_bos = false;

 private:
  static std::string_view next_piece(std::string_view text) {
    for (std::string_view piece : {"<s>", "a b"})
      if (text.starts_with(piece)) return piece;
    return text.substr(0, 1);
  }
};

/// Hears of texts and looks whether it was told of all that it is then asked for.
class HearingTokenizer final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<Token> encode(std::string_view text, bool specials) const override {
    CHECK(told_.contains({std::string(text), specials}));
    return toy_.encode(text, specials);
  }
  [[nodiscard]] std::optional<Token> prefix_token() const override { return kBos; }
  [[nodiscard]] std::string prefix_text() const override { return "<s>"; }
  [[nodiscard]] std::string decode(std::span<const Token> tokens, bool) const override {
    return toy_.decode(tokens, true);
  }
  [[nodiscard]] std::string end_text() const override { return ""; }
  [[nodiscard]] std::size_t foresight() const override { return 2; }
  void foresee(std::span<const core::ForeseenText> texts) const override {
    told_.clear();
    for (const core::ForeseenText& text : texts) told_.emplace(text.text, text.specials);
    ++times;
  }
  mutable std::size_t times = 0;

 private:
  ToyTokenizer toy_;
  mutable std::set<std::pair<std::string, bool>> told_;
};

std::vector<Token> letters(std::string_view text) {
  std::vector<Token> tokens;
  for (char c : text) tokens.push_back(100 + c);
  return tokens;
}

std::vector<Token> joined(std::vector<Token> head, const std::vector<Token>& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

core::BuiltTask one_request(std::string context, std::string continuation) {
  core::BuiltTask task;
  task.name = "toy";
  task.doc_ids = {7};
  task.requests = {{0, 2, std::move(context), std::move(continuation)}};
  return task;
}

}  // namespace

TEST_CASE("context and continuation are split at the context's token count") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  const auto pair = encoder.encode("xy", " z");
  REQUIRE(pair);
  CHECK(pair->tokens == letters("xy z"));
  CHECK(pair->first_scored == 2);
}

TEST_CASE("trailing white space of the context moves to the continuation") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  const auto pair = encoder.encode("xy \n", "z");
  REQUIRE(pair);
  CHECK(pair->tokens == letters("xy \nz"));
  CHECK(pair->first_scored == 2);
}

TEST_CASE("a merge across the boundary keeps the context's own tokens, as lm-eval does") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  // "xa b!" tokenises to x, "a b", !; the context "xa" has two tokens of its own.
  const auto pair = encoder.encode("xa", " b!");
  REQUIRE(pair);
  CHECK(pair->tokens == joined(letters("xa"), letters("!")));
  CHECK(pair->first_scored == 2);
  CHECK(pair->merged);
  CHECK_FALSE(encoder.encode("xa", " c")->merged);
}

TEST_CASE("tokens that span the end of a context are told, task by task") {
  const ToyTokenizer tokenizer;
  const std::vector<core::BuiltTask> tasks{one_request("xa", " c"), one_request("xa", " b!")};
  const auto encoded = encode_requests(tasks, tokenizer, {});
  REQUIRE(encoded);
  const auto warnings = token_warnings(tasks, *encoded);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == "merged-tokens");
  CHECK(warnings[0].text.find("in 1 of 1 requests a token spans") != std::string::npos);
}

TEST_CASE("a BOS token that is predicted as if it were text is told") {
  ToyTokenizer tokenizer;
  core::BuiltTask task = one_request("", "xyz");
  task.output_type = core::OutputType::loglikelihood_rolling;
  const auto warnings = [&] {
    return token_warnings({&task, 1}, *encode_requests({&task, 1}, tokenizer, {}));
  };
  CHECK(warnings().empty());
  tokenizer.adds_bos = true;
  REQUIRE(warnings().size() == 1);
  CHECK(warnings()[0].code == "predicted-bos");
}

TEST_CASE("prompts keep room for the answer, and each sampled answer has its own seed") {
  const ToyTokenizer tokenizer;
  core::BuiltTask task = one_request("wxyz", "");
  task.output_type = core::OutputType::generate_until;
  task.generation.max_tokens = 2;
  task.repeats = 3;
  const auto encoded = [&](Overlength overlength) {
    return encode_requests({&task, 1}, tokenizer, {5, overlength, 1});
  };
  CHECK(
      encoded(Overlength::fail).error().text ==
      "task toy, doc 7: the prompt has 4 tokens and 2 new ones are asked for, the model's context "
      "holds 5; use --overlength truncate to cut prompts on the left as lm-eval does (counted), or "
      "--overlength skip");
  CHECK(encoded(Overlength::skip)->at(0).skipped);
  const auto cut = encoded(Overlength::truncate);
  REQUIRE(cut->size() == 1);
  CHECK(cut->at(0).tokens == letters("xyz"));
  CHECK(cut->at(0).truncated == 1);
  CHECK(cut->at(0).generates());
  task.generation.sample = true;
  const auto sampled = encoded(Overlength::truncate);
  REQUIRE(sampled->size() == 3);
  CHECK(sampled->at(0).seed != sampled->at(1).seed);
  CHECK(sampled->at(2).repetition == 2);
  CHECK(encoded(Overlength::truncate)->at(1).seed == sampled->at(1).seed);
  task.generation.sample = false;
  CHECK(encoded(Overlength::truncate)->size() == 1);
  task.generation.parameters = core::GenerationParameters::given_length;
  CHECK(encoded(Overlength::truncate)->size() == 3);
  task.generation.max_tokens = 5;
  CHECK(encoded(Overlength::truncate).error().text ==
        "task toy, doc 7: 5 new tokens are asked for, the model's context holds 5; ask for fewer "
        "(--gen-kwargs max_gen_toks=N)");
}

TEST_CASE("a continuation that merges into the context wholly has no tokens") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  const auto pair = encoder.encode("xa", " b");
  REQUIRE_FALSE(pair);
  CHECK(pair.error().text == "the continuation has no tokens of its own after the context");
}

TEST_CASE("an empty context is the prefix token") {
  ToyTokenizer tokenizer;
  tokenizer.adds_bos = true;
  PairEncoder encoder(tokenizer);
  const auto pair = encoder.encode("", "xy");
  REQUIRE(pair);
  CHECK(pair->tokens == joined({kBos}, letters("xy")));
  CHECK(pair->first_scored == 1);
}

TEST_CASE("a continuation that begins with the prefix token serves as its own context") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  const auto pair = encoder.encode("", "<s>x");
  REQUIRE(pair);
  CHECK(pair->tokens == joined({kBos}, letters("x")));
  CHECK(pair->first_scored == 1);
}

TEST_CASE("no second BOS where the text brings one") {
  ToyTokenizer tokenizer;
  tokenizer.adds_bos = true;
  PairEncoder encoder(tokenizer);
  const auto with = encoder.encode("<s>x", "y");
  const auto without = encoder.encode("x", "y");
  REQUIRE(with);
  REQUIRE(without);
  CHECK(with->tokens == joined({kBos}, letters("xy")));
  CHECK(without->tokens == with->tokens);
}

TEST_CASE("faults of a pair") {
  ToyTokenizer tokenizer;
  PairEncoder encoder(tokenizer);
  CHECK(encoder.encode(" \n", "x").error().text == "the context is white space alone");
  CHECK(encoder.encode("", "").error().text == "the continuation has no tokens");
  CHECK(encoder.encode("", "<s>").error().text == "the continuation is the prefix token alone");
}

TEST_CASE("the last token is predicted only, so context_length + 1 tokens fit") {
  ToyTokenizer tokenizer;
  const auto task = one_request("abc", "d");
  const auto encoded = encode_requests({&task, 1}, tokenizer, {3, Overlength::fail, 0});
  REQUIRE(encoded);
  CHECK(encoded->front().tokens.size() == 4);
  CHECK(encoded->front().truncated == 0);
}

TEST_CASE("a prompt that is too long") {
  ToyTokenizer tokenizer;
  const auto task = one_request("abcd", "e");

  SUBCASE("is refused by default, with both lengths and the remedy") {
    const auto encoded = encode_requests({&task, 1}, tokenizer, {3, Overlength::fail, 0});
    REQUIRE_FALSE(encoded);
    CHECK(encoded.error().kind == base::ErrorKind::input);
    CHECK(encoded.error().text ==
          "task toy, doc 7, choice 2: the prompt has 5 tokens, the model's context holds 3; use "
          "--overlength truncate to cut prompts on the left as lm-eval does (counted), or "
          "--overlength skip");
  }
  SUBCASE("loses tokens on the left, counted") {
    const auto encoded = encode_requests({&task, 1}, tokenizer, {3, Overlength::truncate, 0});
    REQUIRE(encoded);
    CHECK(encoded->front().tokens == letters("bcde"));
    CHECK(encoded->front().first_scored == 3);
    CHECK(encoded->front().truncated == 1);
  }
  SUBCASE("is left out") {
    const auto encoded = encode_requests({&task, 1}, tokenizer, {3, Overlength::skip, 0});
    REQUIRE(encoded);
    CHECK(encoded->front().skipped);
  }
}

TEST_CASE("a continuation longer than the context can't be cut") {
  ToyTokenizer tokenizer;
  const auto task = one_request("a", "bcde");
  const auto encoded = encode_requests({&task, 1}, tokenizer, {3, Overlength::truncate, 0});
  REQUIRE_FALSE(encoded);
  CHECK(encoded.error().text ==
        "task toy, doc 7, choice 2: the continuation alone has 4 tokens, the model's context holds "
        "3; use --overlength skip to leave it out");
}

TEST_CASE("a tokenizer that wants to hear of texts hears of each before it is asked for it") {
  core::BuiltTask pairs;
  pairs.name = "pairs";
  pairs.output_type = core::OutputType::multiple_choice;
  pairs.doc_ids = {0, 1, 2};
  pairs.requests = {{0, 0, "one ", "x"},
                    {0, 1, "one ", " y"},
                    {1, 0, "<s>two", " x"},
                    {1, 1, "", "alone"},
                    {2, 0, "c", " b"}};
  core::BuiltTask texts = pairs;
  texts.output_type = core::OutputType::loglikelihood_rolling;
  core::BuiltTask prompts = pairs;
  prompts.output_type = core::OutputType::generate_until;
  prompts.requests[3].context = "not empty";
  const std::vector<core::BuiltTask> tasks{pairs, texts, prompts};
  const HearingTokenizer tokenizer;
  const auto heard = encode_requests(tasks, tokenizer, {});
  REQUIRE(heard);
  CHECK(tokenizer.times == 9);
  const auto plain = encode_requests(tasks, ToyTokenizer(), {});
  REQUIRE(plain);
  REQUIRE(heard->size() == plain->size());
  for (std::size_t i = 0; i < plain->size(); ++i) CHECK((*heard)[i].tokens == (*plain)[i].tokens);
}

}  // namespace tare::plan
