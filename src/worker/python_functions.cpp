#include "worker/python_functions.h"

#include <fmt/format.h>

#include <map>

#include "base/json.h"
#include "base/process.h"
#include "worker/protocol.h"
#include "worker/worker_sources.h"

namespace tare::worker {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::FunctionRef;
using core::FunctionUse;

/// The first line: the worker's own sources and its settings.
std::string first_line(const PythonOptions& options) {
  List sources;
  for (const WorkerSource& source : worker_sources())
    if (source.name != "boot") sources.emplace_back(List{source.name, source.text});
  Dict settings;
  settings.set("memory_bytes", options.memory_bytes);
  settings.set("file_bytes", options.file_bytes);
  settings.set("call_seconds", static_cast<double>(options.call_limit.count()) / 1000);
  settings.set("run_unsafe_code", options.run_unsafe_code);
  Dict start;
  start.set("sources", std::move(sources));
  start.set("settings", std::move(settings));
  return base::json::dump(start, {.ascii_only = true});
}

std::string text_of(const Value& dict, std::string_view key) {
  const Value* value = dict.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

std::string described(const FunctionRef& function) {
  return "!function " + function.name;
}

std::string requirement() {
  return "name a Python 3.9 or later with --python PATH";
}

/// The refusal of programs that a model wrote, or "" if they are not wanted or can be confined.
std::string sandbox_fault(const Value& hello) {
  const Value* programs = hello.find("programs");
  const std::string fault = programs == nullptr ? "" : text_of(*programs, "fault");
  if (fault.empty()) return "";
  return "programs that a model wrote can't be confined here, so they are not run (" + fault +
         "); allow user namespaces or install bubblewrap, or leave out --confirm-run-unsafe-code";
}

}  // namespace

/// The process and what was learnt from it.
struct PythonFunctions::Conversation {
  std::unique_ptr<base::Process> process;
  base::Process::Bounds bounds{};
  std::int64_t next = 0;                       ///< number of the next request; 0 is the greeting
  std::map<std::string, std::string> files{};  ///< SHA-256 of each task file loaded so far
  std::map<std::string, bool> importable{};    ///< modules that were asked for

  base::Failure broken(const base::Error& error) const {
    const std::string words = process->last_words();
    return base::work_failed("the Python worker: " + error.text +
                             (words.empty() ? "" : "; the last it printed: " + words));
  }

  Result<Value> ask(const std::string& line) {
    const std::int64_t id = next++;
    const auto answer = process->exchange(line, bounds);
    if (!answer) return broken(answer.error());
    auto reply = read_reply(*answer, id);
    if (!reply) return broken(reply.error());
    for (const core::SourceFile& file : reply->files) files[file.path] = file.sha256;
    if (!reply->error.empty()) return base::work_failed(reply->error);
    return std::move(reply->value);
  }

  bool can_import(const FunctionRef& function) {
    const auto known = importable.find(function.name);
    if (known != importable.end()) return known->second;
    const auto answer = ask(importable_line(next, function));
    return importable[function.name] = answer && answer->truthy();
  }
};

PythonFunctions::PythonFunctions(std::unique_ptr<Conversation> conversation, Value hello)
    : conversation_(std::move(conversation)), hello_(std::move(hello)) {}

PythonFunctions::~PythonFunctions() = default;

Result<std::unique_ptr<PythonFunctions>> PythonFunctions::start(const PythonOptions& options) {
  auto process =
      base::Process::start(options.interpreter, {"-I", "-c", worker_sources().front().text});
  if (!process) return base::input_error(process.error().text + "; " + requirement());
  auto conversation = std::make_unique<Conversation>();
  conversation->process = std::move(*process);
  conversation->bounds = {options.call_limit, options.answer_bytes};
  auto hello = conversation->ask(first_line(options));
  if (!hello)
    return base::input_error(options.interpreter.string() + " does not run tare's worker: " +
                             hello.error().text + "; " + requirement());
  if (std::string fault = sandbox_fault(*hello); !fault.empty()) return base::input_error(fault);
  return std::unique_ptr<PythonFunctions>(
      new PythonFunctions(std::move(conversation), std::move(*hello)));
}

bool PythonFunctions::knows(const FunctionRef& function, FunctionUse) const {
  return !function.file.empty() || conversation_->can_import(function);
}

Result<Value> PythonFunctions::call(const FunctionRef& function, FunctionUse use,
                                    std::span<const Value> arguments) {
  auto result = conversation_->ask(call_line(conversation_->next, function, use, arguments));
  if (!result) return base::in_context(described(function), std::move(result.error()));
  return result;
}

Value PythonFunctions::identity() const {
  Dict files;
  for (const auto& [path, sha256] : conversation_->files) files.set(path, sha256);
  const Value* programs = hello_.find("programs");
  Dict out;
  out.set("interpreter", text_of(hello_, "executable"));
  out.set("python", text_of(hello_, "python"));
  out.set("network", text_of(hello_, "network_fault").empty() ? "none" : "as the user's");
  out.set("program_sandbox", programs == nullptr ? "" : text_of(*programs, "sandbox"));
  out.set("files", std::move(files));
  return out;
}

std::string PythonFunctions::warning() const {
  const std::string fault = text_of(hello_, "network_fault");
  if (fault.empty()) return "";
  return fmt::format(
      "Python functions of tasks run with access to the network: this system makes no network "
      "namespace ({})",
      fault);
}

}  // namespace tare::worker
