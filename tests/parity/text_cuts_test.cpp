#include <doctest/doctest.h>
#include <llama.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "backend/llama/log_capture.h"
#include "backend/llama/model.h"
#include "backend/llama/vocabulary.h"
#include "base/unicode.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "plan/encode.h"
#include "support/support.h"

/// Texts tokenised in pieces must have the tokens of the whole text: for the vocabulary files of
/// llama.cpp's source and the demo model, on prompts of real tasks and on random text.
namespace tare {
namespace {

namespace fs = std::filesystem;
using core::Token;

/// A tokenizer that always reads whole texts.
class Whole final : public core::Tokenizer {
 public:
  explicit Whole(const core::Tokenizer& inner) : inner_(inner) {}
  [[nodiscard]] std::vector<Token> encode(std::string_view text, bool specials) const override {
    return inner_.encode(text, specials);
  }
  [[nodiscard]] std::optional<Token> prefix_token() const override { return inner_.prefix_token(); }
  [[nodiscard]] std::string prefix_text() const override { return inner_.prefix_text(); }
  [[nodiscard]] std::string decode(std::span<const Token> tokens, bool specials) const override {
    return inner_.decode(tokens, specials);
  }
  [[nodiscard]] std::string end_text() const override { return inner_.end_text(); }

 private:
  const core::Tokenizer& inner_;
};

std::vector<fs::path> tokenizer_files() {
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& folder) {
    std::error_code fault;
    for (const auto& entry : fs::directory_iterator(folder, fault))
      if (entry.path().extension() == ".gguf") files.push_back(entry.path());
  };
  add(fs::path(LLAMA_SOURCE) / "models");
  if (const char* models = std::getenv("TARE_MODELS")) add(models);
  std::ranges::sort(files);
  return files;
}

/// Calls `check` with each tokenizer that can be opened.
template <class Check>
void for_each_tokenizer(const Check& check) {
  const std::vector<fs::path> files = tokenizer_files();
  if (files.empty()) return test::skip("llama.cpp's vocabulary files");
  for (const fs::path& file : files) {
    CAPTURE(file.filename().string());
    const backend::llama::LogCapture log;
    llama_model_params params = llama_model_default_params();
    params.vocab_only = true;
    const backend::llama::ModelPtr model(llama_model_load_from_file(file.c_str(), params));
    REQUIRE(model);
    check(file.stem().string(), backend::llama::Vocabulary(*model));
  }
}

std::vector<core::BuiltTask> real_tasks(const fs::path& shared, const fs::path& yamls) {
  cli::TaskOptions options;
  options.tasks = {"mmlu_high_school_geography",
                   "mmlu_formal_logic",
                   "arc_easy",
                   "hellaswag",
                   "gsm8k",
                   "xcopa_zh",
                   "xnli_ru",
                   "belebele_arb_Arab",
                   "triviaqa",
                   "piqa"};
  options.include_paths = {yamls};
  options.datasets = {shared / "hub"};
  options.offline = options.quiet = true;
  options.seeds = {0, 1234, 1234, 1234};
  options.build.limit = 60;
  options.build.num_fewshot = 3;
  std::vector<core::BuiltTask> tasks;
  for (const std::string& name : std::vector(options.tasks)) {
    cli::TaskOptions one = options;
    one.tasks = {name};
    auto functions = cli::open_functions(one);
    if (auto prepared = cli::prepare_tasks(one); prepared && functions)
      for (core::BuiltTask& task : prepared->tasks) tasks.push_back(std::move(task));
  }
  return tasks;
}

/// A string with what decides about cuts in a few bytes: words, digits, spaces, line feeds, special
/// tokens, marks, letters of other scripts, characters of four bytes, and broken bytes.
std::string random_text(std::mt19937& random, std::size_t parts) {
  static const std::vector<std::string> pieces{"a",
                                               "B",
                                               "word",
                                               "Answer",
                                               "1",
                                               "42",
                                               "2024",
                                               " ",
                                               "  ",
                                               "\n",
                                               "\n\n",
                                               " \n",
                                               "\t",
                                               "\r\n",
                                               ".",
                                               ",",
                                               "'s",
                                               "'",
                                               "\"",
                                               "-",
                                               "_",
                                               ":",
                                               "(",
                                               "/",
                                               "<|im_end|>",
                                               "<s>",
                                               "<unk>",
                                               "</s>",
                                               "<|endoftext|>",
                                               "\xc3\xa9",
                                               "e\xcc\x81",
                                               "\xe6\xbc\xa2\xe5\xad\x97",
                                               "\xd9\x83",
                                               "\xe2\x96\x81",
                                               "\xf0\x9f\x98\x80",
                                               "\xc2\xa0",
                                               "\xe2\x80\x83",
                                               "\xff",
                                               "\xc3",
                                               "#",
                                               "=",
                                               "$",
                                               "\\",
                                               "I'll"};
  std::string text;
  for (; parts > 0; --parts) text += pieces[random() % (random() % 2 == 0 ? 11 : pieces.size())];
  return text;
}

TEST_CASE("prompts of real tasks") {
  const auto shared = test::shared_dir();
  const char* yamls = std::getenv("TARE_LM_EVAL");
  if (!shared || yamls == nullptr) return test::skip("data sets and lm-eval's task files");
  const std::vector<core::BuiltTask> tasks = real_tasks(*shared, yamls);
  REQUIRE(tasks.size() >= 5);
  for_each_tokenizer([&](const std::string&, const core::Tokenizer& tokenizer) {
    const Whole whole(tokenizer);
    const plan::EncodeOptions options{};
    const auto pieces = plan::encode_requests(tasks, tokenizer, options);
    const auto expected = plan::encode_requests(tasks, whole, options);
    REQUIRE(pieces.has_value() == expected.has_value());
    if (!pieces) return;
    REQUIRE(pieces->size() == expected->size());
    for (std::size_t i = 0; i < pieces->size(); ++i) {
      REQUIRE((*pieces)[i].tokens == (*expected)[i].tokens);
      REQUIRE((*pieces)[i].first_scored == (*expected)[i].first_scored);
      REQUIRE((*pieces)[i].merged == (*expected)[i].merged);
    }
  });
}

TEST_CASE("random texts, cut at each place that is allowed") {
  std::size_t cuts = 0;
  std::map<std::string, std::size_t> by_file;
  for_each_tokenizer([&](const std::string& name, const core::Tokenizer& tokenizer) {
    std::mt19937 random(11);
    for (int i = 0; i < 1500; ++i) {
      const std::string text = random_text(random, 2 + random() % 24);
      const std::vector<Token> whole = tokenizer.encode(text, true);
      for (std::size_t cut = tokenizer.last_cut(text, text.size()); cut > 0;
           cut = tokenizer.last_cut(text, cut - 1)) {
        std::vector<Token> joined = tokenizer.encode(std::string_view(text).substr(0, cut), true);
        const std::vector<Token> behind = tokenizer.encode_behind(text, cut);
        joined.insert(joined.end(), behind.begin(), behind.end());
        CAPTURE(text);
        CAPTURE(cut);
        REQUIRE(joined == whole);
        ++by_file[name];
        ++cuts;
      }
    }
  });
  for (const auto& [name, count] : by_file) MESSAGE(name << ": " << count << " cuts");
  if (!tokenizer_files().empty()) CHECK(cuts > 10000);
}

}  // namespace
}  // namespace tare
