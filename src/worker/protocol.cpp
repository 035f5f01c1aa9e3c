#include "worker/protocol.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/python.h"
#include "worker/values.h"

namespace tare::worker {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::FunctionUse;

const char* use_name(FunctionUse use) {
  switch (use) {
    case FunctionUse::documents:
      return "documents";
    case FunctionUse::document_field:
      return "document_field";
    case FunctionUse::results:
      return "results";
    case FunctionUse::metric:
      return "metric";
    case FunctionUse::aggregation:
      return "aggregation";
    case FunctionUse::filter:
      return "filter";
    case FunctionUse::samples:
      return "samples";
    case FunctionUse::custom_dataset:
      return "custom_dataset";
  }
  return "";
}

std::string request_line(std::int64_t id, const core::FunctionRef& function, const char* use,
                         List arguments) {
  Dict request;
  request.set("id", id);
  request.set("use", use);
  request.set("name", function.name);
  request.set("folder", function.folder.string());
  request.set("file", function.file.string());
  request.set("sha256", function.sha256);
  request.set("arguments", std::move(arguments));
  return base::json::dump(request, {.ascii_only = true});
}

base::Failure no_answer(const std::string& why) {
  return base::work_failed("the Python worker's answer is not understood: " + why);
}

Result<std::vector<core::SourceFile>> read_files(const Value* files) {
  if (files == nullptr || !files->is_dict()) return no_answer("no list of files");
  std::vector<core::SourceFile> out;
  for (const auto& [path, sha256] : files->as_dict()) {
    if (!sha256.is_string()) return no_answer("a file without a hash");
    core::SourceFile file;
    file.path = base::python::str(path);
    file.sha256 = sha256.as_string();
    out.push_back(std::move(file));
  }
  return out;
}

}  // namespace

std::string call_line(std::int64_t id, const core::FunctionRef& function, FunctionUse use,
                      std::span<const Value> arguments) {
  List tagged_arguments;
  for (const Value& argument : arguments) tagged_arguments.push_back(tagged(argument));
  return request_line(id, function, use_name(use), std::move(tagged_arguments));
}

std::string importable_line(std::int64_t id, const core::FunctionRef& function) {
  return request_line(id, function, "is_importable", {});
}

Result<Reply> read_reply(std::string_view line, std::int64_t id) {
  const auto message = base::json::parse(line);
  if (!message) return no_answer(message.error().text);
  const Value* answered = message->find("id");
  if (answered == nullptr || !answered->is_int() || answered->as_int() != id)
    return no_answer(fmt::format("it is not for request {}", id));
  Reply reply;
  TARE_TRY(reply.files, read_files(message->find("files")));
  if (const Value* error = message->find("error")) {
    if (!error->is_string() || error->as_string().empty()) return no_answer("an empty error");
    reply.error = error->as_string();
    return reply;
  }
  const Value* value = message->find("value");
  if (value == nullptr) return no_answer("neither a value nor an error");
  const auto plain = untagged(*value);
  if (!plain) return no_answer(plain.error().text);
  reply.value = *plain;
  return reply;
}

}  // namespace tare::worker
