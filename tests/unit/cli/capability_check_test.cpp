#include "cli/capability_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "backend/scripted/scripted_backend.h"
#include "support/support.h"

namespace tare::cli {
namespace {

using core::GenerationParameters;
using core::OutputType;

struct Asked {
  core::BuiltTask task;
  RunOptions options;
};

/// A backend that can all but what `capabilities` says, e.g. R"("sampling": false)".
std::unique_ptr<backend::Backend> able(const std::string& capabilities,
                                       std::size_t context_length = 0) {
  const test::TempDir folder;
  const auto script = folder.write(
      "s.json", fmt::format(R"({{"rules": [], "context_length": {}, "capabilities": {{{}}}}})",
                            context_length, capabilities));
  auto opened = backend::scripted::open(script.string());
  REQUIRE_MESSAGE(opened.has_value(), opened.error().text);
  return std::move(*opened);
}

std::string fault(const Asked& asked, const std::string& capabilities) {
  const auto status = check_capabilities({&asked.task, 1}, *able(capabilities), asked.options);
  return status ? "" : status.error().text;
}

Asked asks(OutputType type, const char* metric = "x") {
  Asked asked;
  asked.task.name = "t";
  asked.task.output_type = type;
  asked.task.metrics = {{metric, "mean", true, {}}};
  return asked;
}

Asked generates(GenerationParameters parameters, bool sample = false) {
  Asked asked = asks(OutputType::generate_until);
  asked.task.generation.parameters = parameters;
  asked.task.generation.sample = sample;
  return asked;
}

Asked with_chat(bool endpoint) {
  Asked asked = generates(GenerationParameters::given);
  asked.options.model.scheme = "scripted";
  asked.options.chat.apply = true;
  if (endpoint) asked.options.model.arguments = {{"endpoint", "chat"}};
  return asked;
}

Asked truncates() {
  Asked asked = asks(OutputType::multiple_choice);
  asked.options.overlength = plan::Overlength::truncate;
  return asked;
}

struct Row {
  const char* what;
  Asked asked;
  const char* lacking;  ///< for the fault
  const char* fault;    ///< behind "task t needs "
};

std::vector<Row> rows() {
  return {
      {"generation", generates(GenerationParameters::given), R"("generation": false)",
       "generated text, which the backend scripted cannot give; choose a task that scores given "
       "text, or a backend that generates (tare ls backends)"},
      {"sampling", generates(GenerationParameters::given, true), R"("sampling": false)",
       "sampled text, which the backend scripted cannot give; use --generation-mode deterministic"},
      {"own defaults", generates(GenerationParameters::backend), R"("own_defaults": false)",
       "answers by the backend's own defaults (--generation-mode), which the backend scripted "
       "cannot give; use --generation-mode deterministic or fix"},
      {"own defaults but the length", generates(GenerationParameters::given_length),
       R"("own_defaults": false)",
       "answers by the backend's own defaults (--generation-mode), which the backend scripted "
       "cannot give; use --generation-mode deterministic or fix"},
      {"scores", asks(OutputType::multiple_choice), R"("loglikelihood": false)",
       "log-likelihoods of given text, which the backend scripted cannot give; choose a task that "
       "generates, or a backend that scores (tare ls backends)"},
      {"scores of a chat", asks(OutputType::loglikelihood),
       R"("loglikelihood": false, "chat_messages": true)",
       "log-likelihoods of given text, which the backend scripted cannot give; a chat endpoint "
       "gives none: choose a task that generates, or leave out endpoint=chat"},
      {"whole texts", asks(OutputType::loglikelihood_rolling), R"("token_ids": false)",
       "whole texts scored in windows of tokens, which the backend scripted cannot give; choose a "
       "backend with token ids (tare ls backends)"},
      {"greedy flag", asks(OutputType::loglikelihood, "acc"), R"("greedy_flag": false)",
       "to know whether an answer is the most likely one (metrics acc, exact_match), which the "
       "backend scripted cannot give; leave such metrics out of the task, or choose a backend with "
       "a greedy flag (tare ls backends)"},
      {"greedy flag of choices", asks(OutputType::multiple_choice, "exact_match"),
       R"("greedy_flag": false)",
       "to know whether an answer is the most likely one (metrics acc, exact_match), which the "
       "backend scripted cannot give; leave such metrics out of the task, or choose a backend with "
       "a greedy flag (tare ls backends)"},
      {"messages", with_chat(true), R"("chat_messages": false)",
       "prompts that are conversations, which the backend scripted cannot give; leave out "
       "endpoint=chat, so that they are rendered here"},
      {"rendered prompts", with_chat(false), R"("chat_messages": true)",
       "prompts rendered by --apply-chat-template, which the backend scripted cannot give; a chat "
       "endpoint renders them itself and would do so twice: give endpoint=chat with --model, or "
       "leave out --apply-chat-template"},
      {"cut prompts", truncates(), R"("token_ids": false, "any_length": false)",
       "prompts that can be cut by tokens (--overlength truncate), which the backend scripted "
       "cannot give; use --overlength fail, and fewer examples or documents where prompts are too "
       "long"},
  };
}

std::vector<std::string> codes(const Asked& asked, const std::string& capabilities,
                               std::size_t context_length = 0) {
  std::vector<std::string> codes;
  for (const core::Warning& warning :
       capability_warnings({&asked.task, 1}, *able(capabilities, context_length), asked.options))
    codes.push_back(warning.code);
  return codes;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("each lack is told with task, backend and remedy, and is none where it is there") {
  for (const Row& row : rows()) {
    CAPTURE(row.what);
    CHECK(fault(row.asked, row.lacking) == std::string("task t needs ") + row.fault);
    const bool messages = std::string_view(row.what) == "messages";
    CHECK(fault(row.asked, messages ? R"("chat_messages": true)" : "") == "");
  }
}

TEST_CASE("what a task does not need may be lacking") {
  const char* scoring = R"("generation": false, "sampling": false, "own_defaults": false,
                           "greedy_flag": false, "token_ids": false)";
  CHECK(fault(asks(OutputType::multiple_choice, "acc"), scoring) == "");
  CHECK(fault(asks(OutputType::loglikelihood, "perplexity"), scoring) == "");
  const char* generating = R"("loglikelihood": false, "sampling": false, "own_defaults": false,
                              "greedy_flag": false, "token_ids": false)";
  CHECK(fault(generates(GenerationParameters::given), generating) == "");
  // Under a backend's own defaults nothing is asked to be sampled.
  CHECK(fault(generates(GenerationParameters::backend, true), R"("sampling": false)") == "");
}

TEST_CASE("a task's own scoring hides whether it reads the greedy flag") {
  Asked asked = asks(OutputType::loglikelihood, "acc");
  asked.task.process_results = core::FunctionRef{"utils.score", {}, {}, {}};
  CHECK(fault(asked, R"("greedy_flag": false)") == "");
}

TEST_CASE("that lengths cannot be checked is told") {
  const Asked asked = asks(OutputType::multiple_choice);
  CHECK(codes(asked, "") == Codes{});
  CHECK(codes(asked, R"("any_length": false)") == Codes{"length-unchecked"});
  CHECK(codes(asked, R"("any_length": false)", 512) == Codes{});
  CHECK(codes(asked, R"("token_ids": false)", 512) == Codes{"length-unchecked"});
  CHECK(countable_context({.token_ids = true, .context_length = 512}) == 512);
  CHECK(countable_context({.token_ids = false, .context_length = 512}) == 0);
}

TEST_CASE("answers that a task begins are told where a chat endpoint answers") {
  Asked asked = with_chat(true);
  asked.task.requests = {{0, 0, R"([{"role": "user", "content": "Q"}])", ""},
                         {1, 0,
                          R"([{"role": "user", "content": "Q"}, )"
                          R"({"role": "assistant", "content": "It is"}])",
                          ""}};
  CHECK(codes(asked, R"("chat_messages": true)") == Codes{"chat-begun-answer"});
  asked.task.requests.pop_back();
  CHECK(codes(asked, R"("chat_messages": true)") == Codes{});
}

}  // namespace tare::cli
