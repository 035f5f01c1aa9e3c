#include "plan/digest.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>

namespace tare::plan {
namespace {

struct Question {
  std::vector<core::BuiltTask> tasks;
  std::vector<EncodedRequest> requests;
};

Question question() {
  Question made;
  made.tasks.resize(2);
  made.tasks[0].name = "choice";
  made.tasks[1].name = "answer";
  made.tasks[1].output_type = core::OutputType::generate_until;
  made.tasks[1].generation.until = {"\n", "."};
  made.requests.resize(3);
  made.requests[0].tokens = {1, 2, 3};
  made.requests[0].first_scored = 2;
  made.requests[1].tokens = {1, 23};
  made.requests[1].first_scored = 1;
  made.requests[2] = {1, 0, {5, 6}, 2};
  return made;
}

std::string digest_of(const Question& question) {
  return digest(question.tasks, question.requests);
}

}  // namespace

TEST_CASE("each thing that is asked shows in the digest") {
  using Change = std::function<void(Question&)>;
  const std::vector<Change> changes{
      [](Question&) {},
      [](Question& q) { q.requests[0].tokens[1] = 4; },
      [](Question& q) { q.requests[0].first_scored = 1; },
      [](Question& q) { q.requests[0].skipped = true; },
      [](Question& q) { q.requests[0].window = 1; },
      [](Question& q) { q.requests[2].repetition = 1; },
      [](Question& q) { q.requests[1].task = 1; },
      [](Question& q) { q.requests[1].request = 1; },
      [](Question& q) { std::swap(q.requests[0], q.requests[1]); },
      [](Question& q) { q.requests.pop_back(); },
      [](Question& q) {
        q.requests[1].tokens = {12, 3};
      },
      [](Question& q) {
        q.requests[1].tokens = {1, 2, 3};
      },
      [](Question& q) { q.tasks[0].name = "choices"; },
      [](Question& q) { q.tasks[0].repeats = 2; },
      [](Question& q) { q.tasks[1].generation.until = {"\n."}; },
      [](Question& q) {
        q.tasks[1].generation.until = {".", "\n"};
      },
      [](Question& q) { q.tasks[1].generation.max_tokens = 3; },
      [](Question& q) { q.tasks[1].generation.sample = true; },
      [](Question& q) { q.tasks[1].generation.temperature = 0.1; },
      [](Question& q) { q.tasks[1].generation.top_p = 0.5; },
      [](Question& q) { q.tasks[1].generation.min_p = 0.5; },
      [](Question& q) { q.tasks[1].generation.repetition_penalty = 0.5; },
      [](Question& q) { q.tasks[1].generation.top_k = 5; },
      [](Question& q) {
        q.tasks[1].generation.parameters = core::GenerationParameters::given_length;
      },
      [](Question& q) { q.tasks[1].generation.parameters = core::GenerationParameters::backend; },
  };
  std::set<std::string> digests;
  for (const Change& change : changes) {
    Question changed = question();
    change(changed);
    digests.insert(digest_of(changed));
  }
  CHECK(digests.size() == changes.size());
}

TEST_CASE("seeds are the run's, and no part of the digest") {
  Question other = question();
  other.requests[2].seed = 77;
  CHECK(digest_of(other) == digest_of(question()));
}

}  // namespace tare::plan
