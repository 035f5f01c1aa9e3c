#include "cli/run_journal.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

#include "backend/scripted/scripted_backend.h"
#include "support/support.h"

namespace tare::cli {
namespace {

using Words = std::vector<std::string>;

struct Question {
  Words words;
  core::BuiltTask task;
  std::string model = "zero";
  std::vector<PlannedGroup> groups{};
};

store::JournalHeader header(const Question& asked) {
  Words words{"--model", "gguf:no.gguf", "--tasks", "a"};  // looked at by no one
  words.insert(words.end(), asked.words.begin(), asked.words.end());
  CLI::App app;
  const auto options = parse_run_options(app, words, ModelNeed::required);
  REQUIRE(options.has_value());
  const auto backend = backend::scripted::open(asked.model);
  REQUIRE_MESSAGE(backend.has_value(), backend.error().text);
  plan::Plan plan;
  plan.requests.resize(3);
  const std::vector<core::BuiltTask> tasks{asked.task};
  return journal_header({*options, tasks, asked.groups}, plan, **backend, {}, words);
}

std::string difference(const Question& there, const Question& here) {
  return store::text_of(store::differences(header(there), header(here)));
}

core::BuiltTask task(std::vector<core::SourceFile> files) {
  core::BuiltTask made;
  made.name = "a";
  made.files = std::move(files);
  return made;
}

TEST_CASE("a group that is put together in another way is another question") {
  PlannedGroup group;
  group.config.name = "both";
  group.config.children = {"a", "b"};
  Question there, here;
  there.groups = here.groups = {group};
  CHECK(difference(there, here).empty());
  here.groups[0].config.aggregate_metric_list = base::List{"acc"};
  CHECK(difference(there, here) ==
        "group both, aggregate_metric_list is not set there and [\"acc\"] here");
}

}  // namespace

TEST_CASE("what is known without the model is held against the record, the rest is taken from it") {
  CLI::App app;
  const auto options = parse_run_options(
      app, {"--model", "gguf:no.gguf", "--tasks", "a", "--limit", "5"}, ModelNeed::required);
  REQUIRE(options.has_value());
  const std::vector<core::BuiltTask> tasks{task({})};
  const auto told = [&](const store::JournalHeader& recorded, const base::Dict& known) {
    const auto expected = expected_header(recorded, {*options, tasks, {}}, known);
    return store::text_of(store::differences(recorded, expected));
  };
  const store::JournalHeader same = header({{"--limit", "5"}, task({})});
  CHECK(told(same, {}).empty());
  CHECK(told(header({{}, task({})}), {}) == "--limit is not set there and 5 here");
  base::Dict settings, known;
  settings.set("cpu_tier", "zen4");
  known.set("weights_sha256", "abc");
  known.set("settings", settings);
  CHECK(told(same, known) ==
        "SHA-256 of the model file is empty there and abc here; backend cpu_tier is missing there "
        "and zen4 here");
}

TEST_CASE("each option that can change an answer is compared under its name") {
  const std::vector<std::pair<Words, std::string>> options{
      {{"--limit", "5"}, "--limit is not set there and 5 here"},
      {{"--num-fewshot", "2"}, "--num-fewshot is not set there and 2 here"},
      {{"--samples", R"({"a": [1, 2]})"}, R"(--samples is not set there and {"a": [1, 2]} here)"},
      {{"--system-instruction", "Be brief."},
       "--system-instruction is not set there and Be brief. here"},
      {{"--gen-kwargs", "temperature=0.5"},
       R"(--gen-kwargs is not set there and {"temperature": 0.5} here)"},
      {{"--generation-mode", "fix"}, "--generation-mode is not set there and fix here"},
      {{"--repetitions", "5"}, "--repetitions is not set there and 5 here"},
      {{"--metadata", R"({"k": 1})"}, R"(--metadata is not set there and {"k": 1} here)"},
      {{"--predict-only"}, "--predict-only is false there and true here"},
      {{"--seed", "7"}, "--seed is [0, 1234, 1234, 1234] there and [7, 7, 7, 7] here"},
      {{"--overlength", "skip"}, "--overlength is fail there and skip here"},
      {{"--tasks", "b"}, R"(--tasks is ["a"] there and ["a", "b"] here)"},
      {{"--model-args", "think_end_token=</t>"},
       "--model-args think_end_token is missing there and </t> here"},
      {{"--shard", "2/3"}, "--shard is 1/1 there and 2/3 here"},
  };
  for (const auto& [words, text] : options) {
    CAPTURE(words[0]);
    CHECK(difference({}, {words, {}}) == text);
  }
}

TEST_CASE("what changes no answer is not compared") {
  for (const Words& words :
       {Words{"--threads", "3"}, Words{"--no-samples"}, Words{"--quiet"}, Words{"--json"},
        Words{"--output", "x"}, Words{"--write-out"}, Words{"--show-config"}, Words{"--offline"},
        Words{"--include-path", "."}, Words{"--datasets", "."}, Words{"--cache", "off"}}) {
    CAPTURE(words[0]);
    CHECK(difference({}, {words, {}}) == "");
  }
}

TEST_CASE("files count by name and content, wherever they lie") {
  const auto files = [](const Question& there, const Question& here) {
    return difference(there, here);
  };
  const Question here{{}, task({{"tasks/a.yaml", "11"}, {"x/data.json", "22"}})};
  CHECK(files(here, {{}, task({{"else/a.yaml", "11"}, {"y/data.json", "22"}})}) == "");
  CHECK(files(here, {{}, task({{"tasks/a.yaml", "11"}, {"x/data.json", "33"}})}) ==
        "task a, SHA-256 of data.json is 22 there and 33 here");
  const Question same_name{{}, task({{"train/0.json", "1"}, {"test/0.json", "2"}})};
  CHECK(files(same_name, {{}, task({{"train/0.json", "1"}, {"test/0.json", "3"}})}) ==
        "task a, SHA-256 of 0.json (2) is 2 there and 3 here");
}

TEST_CASE("the model counts by its content") {
  const test::TempDir folder;
  const auto script = [&](const char* name, const char* text) {
    return Question{{}, {}, folder.write(name, text).string()};
  };
  const Question one = script("one.json", R"({"rules": [{"log_likelihood": -1}]})");
  CHECK(difference(one, script("same.json", R"({"rules": [{"log_likelihood": -1}]})")) == "");
  CHECK(difference(one, script("two.json", R"({"rules": [{"log_likelihood": -2}]})"))
            .starts_with("SHA-256 of the model file is "));
}

TEST_CASE("what a header says of the backend can be read out of it again") {
  const store::JournalHeader made = header({});
  const backend::Identity identity = identity_of(made);
  CHECK(identity.backend == "scripted");
  CHECK(identity.version == "1");
  CHECK(identity.weights_sha256.empty());
  CHECK(identity.settings.is_dict());
  CHECK(identity.generation_defaults.is_dict());
  CHECK(capabilities_of(made).loglikelihood);
  CHECK(capabilities_of(made).token_ids);
  CHECK_FALSE(capabilities_of(made).chat_messages);
  CHECK(made.requests == 3);
}

}  // namespace tare::cli
