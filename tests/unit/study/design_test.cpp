#include "study/design.h"

#include <doctest/doctest.h>

#include "study/cells.h"

namespace tare {
namespace {

constexpr const char* kStudy = R"(name: small
output: out
baseline: hf
models:
  one: {gguf: one.gguf}
  two: {gguf: two.gguf, server: "http://127.0.0.1:80"}
backends:
  hf: "hf:{gguf}"
  server: {model: "llama-server:{server}", models: [two]}
modes: [deterministic, fix]
repetitions: 3
limit: 50
benchmarks:
  quiz: {tasks: [a, b], strata: topic, family: factual}
  bbq_small: {limit: 7, metrics: acc}
options: {datasets: [here, there], offline: true, threads: 2, cache: off}
)";

std::string fault(const std::string& text) {
  const auto design = study::read_design(text, "s.yaml");
  return design ? "" : design.error().text;
}

/// The study file with one piece of text replaced.
std::string with(const std::string& piece, const std::string& by) {
  std::string text = kStudy;
  return text.replace(text.find(piece), piece.size(), by);
}

}  // namespace

TEST_CASE("a study file is read whole") {
  const auto design = study::read_design(kStudy, "s.yaml");
  REQUIRE_MESSAGE(design.has_value(), design.error().text);
  CHECK(design->name == "small");
  CHECK(design->output == "out");
  CHECK(design->repetitions == 3);
  CHECK(design->benchmarks[0].limit == 50);
  CHECK(design->benchmarks[1].limit == 7);
  CHECK(design->benchmarks[1].tasks == std::vector<std::string>{"bbq_small"});
  CHECK(design->benchmarks[1].family == "social bias");
  CHECK(design->benchmarks[1].metrics == std::vector<std::string>{"acc"});
  CHECK(study::spelling_of(design->backends[0], design->models[1]).value() == "hf:two.gguf");
}

TEST_CASE("cells are all combinations that are meant, a model and backend in a row") {
  const auto design = study::read_design(kStudy, "s.yaml").value();
  const auto cells = study::cells_of(design);
  // (two models through hf, one through the server) × (1 + 3 answers) × two benchmarks
  REQUIRE(cells.size() == 3 * 4 * 2);
  CHECK(study::cell_name(design, cells.front()) == "one/hf/deterministic/quiz/1");
  CHECK(study::cell_name(design, cells.back()) == "two/server/fix/bbq_small/3");
}

TEST_CASE("the words of a run differ between repetitions in the seed alone") {
  const auto design = study::read_design(kStudy, "s.yaml").value();
  const study::Selection selection{{"a", {1, 4}}, {"b", {0}}};
  const auto first = study::run_words(design, {0, 0, "fix", 0, 0}, &selection).value();
  const auto second = study::run_words(design, {0, 0, "fix", 1, 0}, &selection).value();
  CHECK(first == std::vector<std::string>{"--model=hf:one.gguf", "--tasks=a,b", "--datasets=here",
                                          "--datasets=there", "--offline", "--cache=off",
                                          "--threads=2", "--generation-mode=fix", "--repetitions=1",
                                          "--seed=0,1234,42,1234",
                                          "--samples={\"a\": [1, 4], \"b\": [0]}"});
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    CHECK((first[i] == second[i]) == !first[i].starts_with("--seed"));
}

TEST_CASE("what is wrong in a study file is said with its place and what is wanted") {
  CHECK(fault(with("repetitions:", "repetition:")) ==
        "s.yaml: unknown key 'repetition', did you mean repetitions?");
  CHECK(fault(with("strata:", "stratum:")) ==
        "s.yaml: benchmarks: quiz: unknown key 'stratum', did you mean strata?");
  CHECK(fault(with("threads:", "thread:")) ==
        "s.yaml: options: unknown key 'thread', did you mean threads?");
  CHECK(fault(with("baseline: hf", "baseline: vllm")) ==
        "s.yaml: baseline: there is no backend 'vllm'; wanted hf or server");
  CHECK(fault(with("baseline: hf", "baseline: \"v\\nllm\"")) ==
        "s.yaml: baseline: there is no backend 'v\\nllm'; wanted hf or server");
  CHECK(fault(with("models: [two]}", "models: [three]}")) ==
        "s.yaml: backends: server: there is no model 'three' in `models`");
  CHECK(fault(with(", models: [two]}", "}")) ==
        "s.yaml: backends: server: llama-server:{server} names {server}, which model one does not "
        "have; wanted `server: ...` there, or `models:` here to leave the model out");
  CHECK(fault(with("[deterministic, fix]", "[deterministic, fixed]")) ==
        "s.yaml: modes: found 'fixed', wanted deterministic, fix, token256 or default");
  CHECK(fault(with("name: small", "name: a/b")) ==
        "s.yaml: name: the name 'a/b' becomes a folder; wanted letters, digits and - _ . + alone");
  CHECK(fault(with("limit: 50", "limit: 0")) ==
        "s.yaml: limit: found 0, wanted a whole number from 1 on");
  CHECK(fault(with("repetitions: 3", "alpha: 1.5")) ==
        "s.yaml: alpha: found 1.5, wanted a number between 0 and 1");
  CHECK(fault("models: {}\n") ==
        "s.yaml: models: found {}, wanted a mapping such as {small: {gguf: small.gguf}}");
}

TEST_CASE("families and best values of the source's benchmarks are known") {
  CHECK(study::usual_family("mmlu_gen") == "factual");
  CHECK(study::usual_family("truthfulqa_mc1") == "factual");
  CHECK(study::usual_family("stereoset") == "social bias");
  CHECK(study::usual_family("everyday") == "other");
  CHECK(study::usual_ideal("ss") == stats::Ideal::half);
  CHECK(study::usual_ideal("invalid_rate") == stats::Ideal::zero);
  CHECK(study::usual_ideal("acc") == stats::Ideal::one);
}

}  // namespace tare
