#include "backend/python/model_worker.h"

#include <fmt/format.h>

#include "backend/python/worker_sources.h"

namespace tare::backend::python {
namespace {

using base::Result;
using base::Value;
using core::RequestFailure;

constexpr std::chrono::seconds kFarewell{5};
constexpr std::size_t kFarewellBytes = 65536;
/// How often an item is asked before it has failed.
constexpr int kTries = 2;

std::string with_words(const std::string& text, const base::Process& process) {
  const std::string words = process.last_words();
  return words.empty() ? text : fmt::format("{}; the last it printed: {}", text, words);
}

/// Asks all items together, then, if that ended the worker, each alone.
template <class Outcome, class Item, class Ask>
Result<std::vector<Outcome>> patiently(std::span<const Item> items, const Ask& ask) {
  TARE_TRY(auto together, ask(items));
  if (together) return std::move(*together);
  const int tries = items.size() == 1 ? kTries - 1 : kTries;
  std::vector<Outcome> all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto attempt = together;
    for (int left = tries; left > 0 && !attempt; --left) {
      TARE_TRY(attempt, ask(items.subspan(i, 1)));
    }
    if (attempt)
      all.push_back(std::move(attempt->front()));
    else
      all.push_back(tl::unexpected(RequestFailure{fmt::format(
          "the model worker failed on it {} times: {}", kTries, attempt.error().reason)}));
  }
  return all;
}

}  // namespace

Result<std::unique_ptr<ModelWorker>> ModelWorker::start(WorkerOptions options) {
  std::unique_ptr<ModelWorker> worker(new ModelWorker(std::move(options)));
  TARE_TRY(worker->hello_, worker->open());
  return worker;
}

ModelWorker::~ModelWorker() {
  if (process_) (void)process_->exchange(bye_line(next_), {kFarewell, kFarewellBytes});
}

Result<Hello> ModelWorker::open() {
  const std::string program = options_.interpreter.string();
  TARE_TRY(process_, base::Process::start(options_.interpreter, {"-I", "-c", boot_source()}));
  const auto broken = [&](const std::string& why) {
    auto failure = base::input_error(fmt::format("{}: the model worker does not start: {}", program,
                                                 with_words(why, *process_)));
    process_.reset();
    return failure;
  };
  next_ = 1;
  const auto answer = process_->exchange(hello_line(0, options_.settings, worker_sources()),
                                         {options_.load_limit, options_.answer_bytes});
  if (!answer) return broken(answer.error().text);
  const auto reply = read_reply(*answer, 0);
  if (!reply) return broken(reply.error().text);
  if (!*reply) return broken(reply->error());
  auto hello = read_hello(**reply);
  if (!hello) return broken(hello.error().text);
  return hello;
}

base::Status ModelWorker::reopen() {
  if (process_) return {};
  if (restarts_ == options_.most_restarts)
    return base::work_failed(
        fmt::format("the model worker was started again {} times and failed again, the last time "
                    "because {}",
                    restarts_, last_fault_));
  ++restarts_;
  TARE_TRY(const Hello again, open());
  if (again.versions == hello_.versions && again.settings == hello_.settings) return {};
  return base::work_failed(
      "the model worker that was started again has other versions or settings than the first: "
      "its answers would be another run's");
}

RequestFailure ModelWorker::end_process(const std::string& why) {
  last_fault_ = why;
  options_.warn(fmt::format("the model worker failed: {}", with_words(why, *process_)));
  process_.reset();
  return {why};
}

Result<ModelWorker::Attempt<Reply>> ModelWorker::ask(const LineOf& line, std::size_t items,
                                                     const std::stop_token& stop) {
  TARE_CHECK(reopen());
  const std::int64_t id = next_++;
  const base::Process::Bounds bounds{options_.item_limit * items, options_.answer_bytes, stop};
  const auto answer = process_->exchange(line(id), bounds);
  if (!answer && answer.error().kind == base::ErrorKind::interrupted) {
    process_.reset();
    return tl::unexpected(answer.error());
  }
  if (!answer) return Attempt<Reply>(tl::unexpected(end_process(answer.error().text)));
  auto reply = read_reply(*answer, id);
  if (!reply) return Attempt<Reply>(tl::unexpected(end_process(reply.error().text)));
  return Attempt<Reply>(std::move(*reply));
}

template <class Outcome>
Result<ModelWorker::Attempt<std::vector<Outcome>>> ModelWorker::ask_items(
    const LineOf& line, std::size_t items,
    Result<std::vector<Outcome>> (*read)(const Value&, std::size_t), const std::stop_token& stop) {
  using Outcomes = std::vector<Outcome>;
  TARE_TRY(const Attempt<Reply> reply, ask(line, items, stop));
  if (!reply) return Attempt<Outcomes>(tl::unexpected(reply.error()));
  if (!*reply)
    return Attempt<Outcomes>(Outcomes(items, tl::unexpected(RequestFailure{reply->error()})));
  auto outcomes = read(**reply, items);
  if (!outcomes) return Attempt<Outcomes>(tl::unexpected(end_process(outcomes.error().text)));
  return Attempt<Outcomes>(std::move(*outcomes));
}

template <class T>
Result<T> ModelWorker::ask_surely(const LineOf& line, Result<T> (*read)(const Value&)) {
  for (int tries = 0; tries < kTries; ++tries) {
    TARE_TRY(const Attempt<Reply> reply, ask(line, 1, {}));
    if (!reply) continue;
    if (!*reply) return base::work_failed("the model worker: " + reply->error());
    auto value = read(**reply);
    if (value) return value;
    (void)end_process(value.error().text);
  }
  return base::work_failed("the model worker failed on a text: " + last_fault_);
}

Result<std::vector<core::Token>> ModelWorker::tokenize(const std::string& text, bool specials) {
  return ask_surely<std::vector<core::Token>>(
      [&](std::int64_t id) {
        return tokenize_line(id, {&text, 1}, specials);
      },
      read_tokens);
}

Result<std::vector<std::vector<core::Token>>> ModelWorker::tokenize_together(
    std::span<const std::string> texts, bool specials) {
  const auto line = [&](std::int64_t id) { return tokenize_line(id, texts, specials); };
  TARE_TRY(const Attempt<Reply> reply, ask(line, texts.size(), {}));
  if (!reply) return base::work_failed("the model worker: " + reply.error().reason);
  if (!*reply) return base::work_failed("the model worker: " + reply->error());
  auto tokens = read_token_lists(**reply, texts.size());
  if (!tokens) (void)end_process(tokens.error().text);
  return tokens;
}

Result<std::string> ModelWorker::detokenize(std::span<const core::Token> tokens, bool specials) {
  return ask_surely<std::string>(
      [&](std::int64_t id) { return detokenize_line(id, tokens, specials); }, read_text);
}

Result<std::vector<Scored>> ModelWorker::score(std::span<const ScoreItem> items,
                                               std::stop_token stop) {
  return patiently<Scored>(items, [&](std::span<const ScoreItem> some) {
    return ask_items<Scored>([&](std::int64_t id) { return score_line(id, some); }, some.size(),
                             read_scores, stop);
  });
}

Result<std::vector<Continued>> ModelWorker::generate(std::span<const GenerateItem> items,
                                                     std::stop_token stop) {
  return patiently<Continued>(items, [&](std::span<const GenerateItem> some) {
    return ask_items<Continued>([&](std::int64_t id) { return generate_line(id, some); },
                                some.size(), read_generated, stop);
  });
}

}  // namespace tare::backend::python
