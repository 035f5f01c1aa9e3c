#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "backend/python/protocol.h"
#include "base/process.h"
#include "base/result.h"

namespace tare::backend::python {

/// How a worker is run and how much it is borne with.
struct WorkerOptions {
  std::filesystem::path interpreter;
  WorkerSettings settings;
  std::chrono::milliseconds load_limit{std::chrono::hours(1)};  ///< of the start, weights included
  std::chrono::milliseconds item_limit{std::chrono::minutes(10)};  ///< of each item of a request
  std::size_t answer_bytes = std::size_t{256} << 20;               ///< of one answer
  std::size_t most_restarts = 20;  ///< of a run; the death after them ends the work
  /// Hears of each death, one line.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

/// A model worker that is started again when it has died, hung or broken the protocol. Used by one
/// thread, which has to outlive it: the system ends the process with that thread.
class ModelWorker {
 public:
  /// Errors: the interpreter can't be started, lacks a library, can't load the model.
  static base::Result<std::unique_ptr<ModelWorker>> start(WorkerOptions options);
  ~ModelWorker();
  ModelWorker(const ModelWorker&) = delete;
  ModelWorker& operator=(const ModelWorker&) = delete;

  [[nodiscard]] const Hello& hello() const { return hello_; }

  base::Result<std::vector<core::Token>> tokenize(const std::string& text, bool specials);
  /// Of many texts, asked for together and once. Error: nothing is known then of any of them, and
  /// each can still be asked for alone.
  base::Result<std::vector<std::vector<core::Token>>> tokenize_together(
      std::span<const std::string> texts, bool specials);
  base::Result<std::string> detokenize(std::span<const core::Token> tokens, bool specials);

  /// One outcome for each item, in order. Items that ended the worker are asked once more, each
  /// alone; one that ends it again has failed, and the others go on. Errors end the work: `stop`
  /// was asked for, the worker died too often, or does not start any more.
  base::Result<std::vector<Scored>> score(std::span<const ScoreItem> items, std::stop_token stop);
  /// Likewise. All items have the settings of the first.
  base::Result<std::vector<Continued>> generate(std::span<const GenerateItem> items,
                                                std::stop_token stop);

 private:
  /// What came of a question, or why the worker was ended over it.
  template <class T>
  using Attempt = tl::expected<T, core::RequestFailure>;
  using LineOf = std::function<std::string(std::int64_t id)>;

  explicit ModelWorker(WorkerOptions options) : options_(std::move(options)) {}
  base::Result<Hello> open();
  base::Status reopen();
  base::Result<Attempt<Reply>> ask(const LineOf& line, std::size_t items,
                                   const std::stop_token& stop);
  template <class Outcome>
  base::Result<Attempt<std::vector<Outcome>>> ask_items(
      const LineOf& line, std::size_t items,
      base::Result<std::vector<Outcome>> (*read)(const base::Value&, std::size_t),
      const std::stop_token& stop);
  template <class T>
  base::Result<T> ask_surely(const LineOf& line, base::Result<T> (*read)(const base::Value&));
  core::RequestFailure end_process(const std::string& why);

  WorkerOptions options_;
  std::unique_ptr<base::Process> process_;  ///< null from a death to the next question
  Hello hello_;
  std::int64_t next_ = 0;  ///< number of the next request to this process
  std::size_t restarts_ = 0;
  std::string last_fault_;
};

}  // namespace tare::backend::python
