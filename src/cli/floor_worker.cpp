#include "cli/floor_worker.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <exception>

#include "backend/llama/teacher_forcing.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/process_peer.h"
#include "cli/floor_messages.h"
#include "cli/install_paths.h"
#include "cli/row_file.h"
#include "floor/report.h"
#include "stats/divergence.h"

namespace tare::cli {
namespace {

namespace message = floor_messages;
using backend::llama::TeacherForcing;
using base::Result;
using base::Status;
using base::Value;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestAnswer = std::size_t{1} << 30;
/// A window takes as long as it takes.
constexpr std::chrono::hours kAnyTime{24 * 365};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Takes the rows of a window one by one: writes, compares, hashes them.
class RowTaker {
 public:
  static Result<RowTaker> make(const Window& window, const RowFiles& files) {
    RowTaker taker(window);
    if (!files.reference.empty()) {
      TARE_TRY(taker.reference_, RowReader::open(files.reference));
    }
    if (!files.rows.empty()) {
      TARE_TRY(taker.writer_, RowWriter::create(files.rows));
    }
    return taker;
  }

  Status take(std::span<const float> row) {
    const auto begin = Clock::now();
    const auto status = look_at(row);
    apart_ += seconds_since(begin);
    return status;
  }

  Result<floor::WindowResult> finish(double seconds) {
    if (writer_) TARE_CHECK(writer_->close());
    return floor::WindowResult{std::move(rows_), hash_.hex(), seconds - apart_};
  }

 private:
  explicit RowTaker(const Window& window) : window_(&window) {}

  Status look_at(std::span<const float> row) {
    const std::size_t position = rows_.truth.size();
    const auto truth =
        stats::log_probability(row, static_cast<std::size_t>(window_->next[position]));
    if (!truth) return no_numbers(position);
    rows_.truth.push_back(*truth);
    hash_.update({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    if (writer_) TARE_CHECK(writer_->write(row));
    return reference_ ? compare(row, position) : Status();
  }

  Status compare(std::span<const float> row, std::size_t position) {
    TARE_TRY(const std::span<const float> reference, reference_->read(row.size()));
    const auto found = stats::row_divergence(reference, row);
    if (!found) return no_numbers(position);
    rows_.divergence.push_back(found->divergence);
    rows_.same_top.push_back(found->same_top);
    rows_.equal.push_back(found->equal);
    return {};
  }

  static base::Failure no_numbers(std::size_t position) {
    return base::work_failed(
        fmt::format("the logits of position {} are no numbers (NaN or infinite)", position));
  }

  const Window* window_;
  std::optional<RowReader> reference_;
  std::optional<RowWriter> writer_;
  base::Sha256 hash_;
  floor::WindowRows rows_;
  double apart_ = 0;  ///< seconds that were spent here, and not on the model
};

/// The worker's state: at most one file in one manner.
class Worker {
 public:
  Result<Value> answer(const Value& request) {
    const Value* what = request.find(message::kDo);
    const std::string name = what != nullptr && what->is_string() ? what->as_string() : "";
    if (name == message::kLoad) return load(request);
    if (!model_) return base::work_failed("no file is loaded");
    if (name == message::kEncode) return encode(request);
    if (name == message::kCompute) return compute(request);
    return base::work_failed("an unknown request: " + name);
  }

 private:
  Result<Value> load(const Value& request) {
    const Value *file = request.find(message::kFile), *manner = request.find(message::kManner);
    if (file == nullptr || !file->is_string() || manner == nullptr)
      return base::work_failed("a request to load names no file");
    const auto begin = Clock::now();
    TARE_TRY(const core::Manner how, message::read_manner(*manner));
    TARE_TRY(model_, TeacherForcing::open(file->as_string(), how));
    const auto facts = model_->facts();
    return message::loaded_value({facts.description, facts.vocabulary, facts.context,
                                  facts.weight_bytes, seconds_since(begin)});
  }

  Result<Value> encode(const Value& request) {
    const Value* text = request.find(message::kText);
    if (text == nullptr || !text->is_string()) return base::work_failed("there is no text");
    return message::tokens_value({model_->encode(text->as_string()), model_->beginning()});
  }

  Result<Value> compute(const Value& request) {
    TARE_TRY(const Window window, message::read_window_of(request));
    TARE_TRY(RowTaker taker, RowTaker::make(window, message::read_files(request)));
    const auto begin = Clock::now();
    TARE_CHECK(
        model_->run(window.tokens, [&](std::span<const float> row) { return taker.take(row); }));
    TARE_TRY(const auto result, taker.finish(seconds_since(begin)));
    return floor::window_value(result);
  }

  std::optional<TeacherForcing> model_;
};

std::string answer_line(Worker& worker, const std::string& line) try {
  const auto request = base::json::parse(line);
  if (!request) return base::json::dump(message::error_value(request.error()));
  const auto result = worker.answer(*request);
  if (!result) return base::json::dump(message::error_value(result.error()));
  base::Dict answer;
  answer.set(message::kResult, *result);
  return base::json::dump(answer);
} catch (const std::bad_alloc&) {
  return base::json::dump(message::error_value({base::ErrorKind::failed, "out of memory"}));
} catch (const std::exception& fault) {
  return base::json::dump(message::error_value({base::ErrorKind::failed, fault.what()}));
}

}  // namespace

ExitCode floor_worker() {
  base::ProcessPeer peer;
  // What is computed has no one to go to any more.
  const base::PeerWatch watch([] { std::raise(SIGKILL); });
  Worker worker;
  while (const auto line = peer.read_line())
    if (!peer.write_line(answer_line(worker, *line))) break;
  return kDone;
}

Result<FloorProcess> FloorProcess::start(std::stop_token stop) {
  TARE_TRY(auto process, base::Process::start(program(), {kFloorWorker}));
  return FloorProcess(std::move(process), std::move(stop));
}

Result<Value> FloorProcess::ask(const Value& request) {
  auto line = process_->exchange(base::json::dump(request), {kAnyTime, kLongestAnswer, stop_});
  if (!line) {
    const std::string words = process_->last_words();
    if (!words.empty()) line.error().text += "; its last words: " + words;
    return tl::unexpected(line.error());
  }
  TARE_TRY(const Value answer, base::json::parse(*line));
  return message::read_answer(answer);
}

Result<LoadedFile> FloorProcess::load(const std::filesystem::path& file,
                                      const core::Manner& manner) {
  base::Dict request;
  request.set(message::kDo, message::kLoad);
  request.set(message::kFile, file.string());
  request.set(message::kManner, floor::manner_value(manner));
  TARE_TRY(const Value result, ask(request));
  return message::read_loaded(result);
}

Result<FileTokens> FloorProcess::encode(std::string_view text) {
  base::Dict request;
  request.set(message::kDo, message::kEncode);
  request.set(message::kText, text);
  TARE_TRY(const Value result, ask(request));
  return message::read_tokens(result);
}

Result<floor::WindowResult> FloorProcess::compute(const Window& window, const RowFiles& files) {
  TARE_TRY(const Value result, ask(message::window_request(window, files)));
  return floor::read_window(result);
}

}  // namespace tare::cli
