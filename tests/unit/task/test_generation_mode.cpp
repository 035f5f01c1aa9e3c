#include <doctest/doctest.h>

#include "base/json.h"
#include "cases.h"

namespace tare::test {
namespace {

constexpr const char* kTask =
    "task: t\noutput_type: generate_until\ntest_split: test\ndoc_to_text: '{{q}}'\n"
    "doc_to_target: '{{q}}'\nrepeats: 2\n"
    "generation_kwargs: {until: ['.', stop], max_gen_toks: 9, do_sample: true, temperature: 0.3}\n";

core::BuiltTask built(const char* mode, std::optional<std::size_t> repetitions = {},
                      const std::string& yaml = kTask) {
  const TempDir folder;
  const auto config = task::load_task(folder.write("t.yaml", yaml));
  REQUIRE_MESSAGE(config.has_value(), config.error().text);
  task::BuildOptions options;
  options.generation_mode = task::find_generation_mode(mode);
  options.repetitions = repetitions;
  auto data = base::json::parse(R"({"test": [{"q": "a"}]})");
  auto task = task::build(*config, dataset_of(*data), options);
  REQUIRE_MESSAGE(task.has_value(), task.error().text);
  return std::move(*task);
}

using core::GenerationParameters;

TEST_CASE("a mode replaces all of a task's parameters but its stop strings") {
  const core::GenerationSettings greedy = built("deterministic").generation;
  CHECK(greedy.parameters == GenerationParameters::given);
  CHECK_FALSE(greedy.sample);
  CHECK(greedy.max_tokens == 256);
  CHECK(greedy.until == std::vector<std::string>{".", "stop"});

  const core::GenerationSettings fix = built("fix").generation;
  CHECK(fix.parameters == GenerationParameters::given);
  CHECK(fix.sample);
  CHECK(fix.temperature == 0.7);
  CHECK(fix.top_p == 0.9);
  CHECK(fix.top_k == 50);
  CHECK(fix.repetition_penalty == 1.1);
  CHECK_FALSE(fix.min_p.has_value());
  CHECK(fix.max_tokens == 256);

  const core::GenerationSettings length = built("token256").generation;
  CHECK(length.parameters == GenerationParameters::given_length);
  CHECK(length.max_tokens == 256);
  CHECK(length.until == std::vector<std::string>{".", "stop"});

  const core::GenerationSettings own = built("default").generation;
  CHECK(own.parameters == GenerationParameters::backend);
  CHECK(own.until == std::vector<std::string>{".", "stop"});
}

TEST_CASE("without a mode the task decides") {
  const core::BuiltTask task = built("none");
  CHECK(task.generation.parameters == GenerationParameters::given);
  CHECK(task.generation.max_tokens == 9);
  CHECK(task.generation.temperature == 0.3);
  CHECK(task.generation_arguments.find("generation_mode") == nullptr);
}

TEST_CASE("the record names the mode and what it gives, and nothing that is left to the backend") {
  const std::string until = R"("until": [".", "stop"])";
  const std::pair<const char*, std::string> modes[] = {
      {"deterministic", until + R"(, "do_sample": false, "temperature": 0.0, "max_gen_toks": 256)"},
      {"fix", until + R"(, "do_sample": true, "temperature": 0.7, "top_p": 0.9, "top_k": 50, )"
                      R"("repetition_penalty": 1.1, "max_gen_toks": 256)"},
      {"token256", until + R"(, "max_gen_toks": 256)"},
      {"default", until},
  };
  for (const auto& [mode, given] : modes) {
    const core::BuiltTask task = built(mode);
    const std::string wanted =
        std::string(R"({"generation_mode": ")") + mode + R"(", )" + given + "}";
    CHECK_EQ(dumped(task.generation_arguments), wanted);
    CHECK_EQ(dumped(*task.config.find("generation_kwargs")), wanted);
  }
}

TEST_CASE("a task without stop strings keeps its few-shot delimiter as one") {
  const core::BuiltTask task = built("default", {},
                                     "task: t\noutput_type: generate_until\ntest_split: test\n"
                                     "doc_to_text: '{{q}}'\ndoc_to_target: '{{q}}'\n");
  CHECK(task.generation.until == std::vector<std::string>{"\n\n"});
}

TEST_CASE("repetitions are those of the option, else the task's; of tasks that generate alone") {
  CHECK(built("fix").repeats == 2);
  CHECK(built("fix", 5).repeats == 5);
  CHECK(*built("fix", 5).config.find("repeats") == base::Value(5));
  CHECK(built("none", 1).repeats == 1);
  CHECK(built("fix", 5,
              "task: t\noutput_type: loglikelihood\ntest_split: test\ndoc_to_text: '{{q}}'\n"
              "doc_to_target: '{{q}}'\n")
            .repeats == 1);
}

TEST_CASE("answers that no filter looks at are told") {
  const TempDir folder;
  const auto config = task::load_task(folder.write("t.yaml", kTask));
  REQUIRE(config.has_value());
  task::BuildOptions options;
  CHECK(task::warnings(*config, options).empty());
  options.repetitions = 5;
  const auto warnings = task::warnings(*config, options);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].code == "repetitions-unscored");
  CHECK(warnings[0].text ==
        "task t: each prompt has 5 answers, of which the filters score the first alone; all are in "
        "the samples");
  options.repetitions = 1;
  CHECK(task::warnings(*config, options).empty());
}

}  // namespace
}  // namespace tare::test
