#include "backend/python/model_worker.h"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <thread>

#include "fake.h"

namespace tare::backend::python {
namespace {

std::unique_ptr<ModelWorker> started(WorkerOptions options) {
  auto worker = ModelWorker::start(std::move(options));
  if (!worker) FAIL(worker.error().text);
  return std::move(*worker);
}

std::string start_fault(const std::string& config) {
  auto worker = ModelWorker::start(FakeModel(config).options());
  return worker ? "it starts" : worker.error().text;
}

/// Why the item that holds "bad" failed, asked in the middle of three; "" if it did not. The others
/// have to be answered.
std::string outcome(const FakeModel& model, std::vector<std::string>* warnings = nullptr) {
  WorkerOptions options = model.options();
  options.item_limit = std::chrono::seconds(1);
  if (warnings != nullptr)
    options.warn = [warnings](const std::string& text) { warnings->push_back(text); };
  const auto worker = started(std::move(options));
  std::string reason;
  for (const char* text : {"good", "a bad one", "better"}) {
    const ScoreItem item = score_item(0, text);
    const auto scores = worker->score({&item, 1}, {});
    if (!scores) FAIL(scores.error().text);
    REQUIRE(scores->size() == 1);
    if (std::string_view(text) == "a bad one") {
      if (!scores->front()) reason = scores->front().error().reason;
      continue;
    }
    REQUIRE(scores->front());
    CHECK(scores->front()->sum == -0.5);
    CHECK(scores->front()->greedy);
  }
  return reason;
}

std::string config(const std::string& what, bool once = false) {
  return R"({"when": {"bad": ")" + what + R"("}, "once": )" + (once ? "true}" : "false}");
}

struct Fault {
  const char* what;
  const char* reason;
};

constexpr std::array kFatal{
    Fault{"die", "it ended with exit code 7"},
    Fault{"killed", "it was killed (SIGKILL; perhaps out of memory)"},
    Fault{"hang", "it took longer than 1 s and was ended"},
    Fault{"flood_and_hang", "it took longer than 1 s and was ended"},
    Fault{"close", "it closed the channel and was ended"},
    Fault{"endless", "its answer is longer than 1048576 bytes; it was ended"},
    Fault{"garbage", "its answer breaks the protocol: it is no JSON object"},
    Fault{"half", "its answer breaks the protocol: it is no JSON object"},
    Fault{"list", "its answer breaks the protocol: it is no JSON object"},
    Fault{"wrong_id", "its answer breaks the protocol: it is for another request"},
    Fault{"wrong_count", "its answer breaks the protocol: it has another number of results"},
    Fault{"no_sum", "its answer breaks the protocol: a result has no sum or no greedy flag"},
};

constexpr std::array kRefusals{
    Fault{"refuse", "RuntimeError: no memory for this"},
    Fault{"refuse_item", "ValueError: not this one"},
    Fault{"nan", "the log-likelihood is not a number"},
};

TEST_CASE("an item that ends the worker twice has failed, and the others are answered") {
  for (const Fault& fault : kFatal) {
    CAPTURE(fault.what);
    const FakeModel model(config(fault.what));
    CHECK(outcome(model) == "the model worker failed on it 2 times: " + std::string(fault.reason));
    CHECK(model.starts() == 3);
  }
}

TEST_CASE("an item that ends the worker once is answered by the next one") {
  for (const Fault& fault : kFatal) {
    CAPTURE(fault.what);
    const FakeModel model(config(fault.what, true));
    CHECK(outcome(model) == "");
    CHECK(model.starts() == 2);
  }
}

TEST_CASE("what is printed, however much, breaks nothing") {
  for (const char* what : {"print", "flood"}) {
    CAPTURE(what);
    const FakeModel model(config(what));
    CHECK(outcome(model) == "");
    CHECK(model.starts() == 1);
  }
}

TEST_CASE("a refused item is a failure without another try") {
  for (const Fault& fault : kRefusals) {
    CAPTURE(fault.what);
    const FakeModel model(config(fault.what));
    CHECK(outcome(model) == fault.reason);
    CHECK(model.starts() == 1);
  }
}

TEST_CASE("each death is told with the last words") {
  std::vector<std::string> warnings;
  const FakeModel model(config("die"));
  (void)outcome(model, &warnings);
  CHECK(warnings ==
        std::vector<std::string>(2,
                                 "the model worker failed: it ended with exit code 7; the last it "
                                 "printed: the model is on fire"));
}

TEST_CASE("items of a batch that ended the worker are asked alone") {
  const FakeModel model(config("die"));
  const auto worker = started(model.options());
  std::vector<GenerateItem> items{generate_item(0, "first"), generate_item(1, "a bad one"),
                                  generate_item(2, "last")};
  const auto answers = worker->generate(items, {});
  REQUIRE(answers);
  REQUIRE(answers->size() == 3);
  CHECK((*answers)[0]->text == "tsrif");
  CHECK((*answers)[1].error().reason ==
        "the model worker failed on it 2 times: it ended with exit code 7");
  CHECK((*answers)[2]->text == "tsal");
}

TEST_CASE("a worker that dies too often ends the work") {
  const FakeModel model(config("die"));
  WorkerOptions options = model.options();
  options.most_restarts = 2;
  const auto worker = started(std::move(options));
  const std::vector<ScoreItem> items(2, score_item(0, "a bad one"));
  const auto scores = worker->score(items, {});
  REQUIRE_FALSE(scores);
  CHECK(scores.error().kind == base::ErrorKind::failed);
  CHECK(scores.error().text ==
        "the model worker was started again 2 times and failed again, the last time because it "
        "ended with exit code 7");
}

TEST_CASE("a worker that does not start says why") {
  const std::string start = fake_interpreter().string() + ": the model worker does not start: ";
  CHECK(start_fault(R"({"at_start": "die"})") ==
        start + "it ended with exit code 7; the last it printed: the model is on fire");
  CHECK(start_fault(R"({"at_start": "refuse"})") == start + "RuntimeError: no memory for this");
  CHECK(start_fault(R"({"at_start": "garbage"})") ==
        start + "its answer breaks the protocol: it is no JSON object");
  CHECK(start_fault(R"({"hello": {"protocol": 2}})") ==
        start + "its answer breaks the protocol: it speaks another version than 1");
  WorkerOptions nowhere = FakeModel("{}").options();
  nowhere.interpreter = "/no/such/python";
  CHECK(ModelWorker::start(nowhere).error().text ==
        "/no/such/python can't be started: No such file or directory");
}

TEST_CASE("texts become tokens and back, and a text that ends the worker twice is an error") {
  const FakeModel model(R"({"when_text": {"bad": "die"}})");
  const auto worker = started(model.options());
  CHECK(*worker->tokenize("héllo", true) ==
        std::vector<core::Token>{'h', 0xC3, 0xA9, 'l', 'l', 'o'});
  CHECK(*worker->detokenize(std::vector<core::Token>{256, 0xC3, 0xA9}, true) == "é");
  const auto bad = worker->tokenize("a bad text", true);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().text == "the model worker failed on a text: it ended with exit code 7");
  CHECK(worker->tokenize("fine", true)->size() == 4);
}

TEST_CASE("a wish to stop ends a question at once, and the process with it") {
  const FakeModel model(config("hang"));
  WorkerOptions options = model.options();
  options.item_limit = std::chrono::minutes(5);
  const auto worker = started(std::move(options));
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  const ScoreItem item = score_item(0, "a bad one");
  const auto begin = std::chrono::steady_clock::now();
  const auto scores = worker->score({&item, 1}, stop.get_token());
  REQUIRE_FALSE(scores);
  CHECK(scores.error().kind == base::ErrorKind::interrupted);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  for (const int process : model.processes()) CHECK(kill(process, 0) != 0);
}

TEST_CASE("no process is left behind") {
  const FakeModel model("{}");
  { const auto worker = started(model.options()); }
  REQUIRE(model.starts() == 1);
  CHECK(kill(model.processes().front(), 0) != 0);
}

}  // namespace
}  // namespace tare::backend::python
