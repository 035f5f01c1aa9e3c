#include "parity/logged.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>

#include "base/files.h"
#include "base/json.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::test {
namespace {

namespace fs = std::filesystem;
using base::Value;

std::vector<std::string> strings(const Value& list) {
  std::vector<std::string> out;
  for (const Value& item : list.items()) out.push_back(item.as_string());
  return out;
}

/// The value whose str() was logged, for targets that are integers or text.
Value unprinted(const std::string& target) {
  if (!base::unicode::is_digit(target)) return target;
  auto value = base::python::parse_literal(target);
  return value ? *value : Value(target);
}

core::Response response(const Value& resps) {
  const auto& pair = resps.items()[0].items();
  const std::string& text = pair[0].as_string();
  double sum = 0;
  std::from_chars(text.data(), text.data() + text.size(), sum);
  core::Response made;
  made.outcome = core::LogLikelihood{sum, pair[1].as_string() == "True"};
  return made;
}

std::string without_delimiter(const std::string& continuation) {
  return continuation.starts_with(' ') ? continuation.substr(1) : continuation;
}

void add(core::TaskRecord& record, const Logged& logged) {
  core::BuiltTask& task = record.task;
  const std::size_t place = task.documents.size();
  core::Gold gold{unprinted(logged.target), {}, std::nullopt};
  task.documents.push_back(logged.document);
  task.doc_ids.push_back(logged.doc_id);
  for (std::size_t i = 0; i < logged.continuations.size(); ++i) {
    task.requests.push_back({place, i, logged.contexts[i], logged.continuations[i]});
    gold.choices.push_back(without_delimiter(logged.continuations[i]));
    record.responses.push_back(response(logged.resps.items()[i]));
  }
  task.golds.push_back(std::move(gold));
}

}  // namespace

fs::path find_file(const fs::path& folder, const std::string& start) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(start)) return entry.path();
  FAIL("no file " << start << "* in " << folder.string());
  return {};
}

std::vector<Value> json_lines(const std::filesystem::path& file) {
  const auto text = base::read_file(file);
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  std::vector<Value> lines;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    auto value = base::json::parse(std::string_view(*text).substr(at, end - at));
    REQUIRE_MESSAGE(value.has_value(), value.error().text);
    lines.push_back(*value);
    at = end + 1;
  }
  return lines;
}

Logged from_samples(const Value& line) {
  Logged logged;
  logged.doc_id = static_cast<std::size_t>(line.find("doc_id")->as_int());
  logged.document = *line.find("doc");
  logged.target = line.find("target")->as_string();
  for (const auto& [name, request] : line.find("arguments")->as_dict()) {
    logged.contexts.push_back(request.find("arg_0")->as_string());
    logged.continuations.push_back(request.find("arg_1")->as_string());
  }
  logged.resps = *line.find("resps");
  logged.metrics = strings(*line.find("metrics"));
  return logged;
}

Logged from_golden(const Value& line) {
  Logged logged;
  logged.doc_id = static_cast<std::size_t>(line.find("doc_id")->as_int());
  logged.document = base::Dict();
  logged.target = line.find("target")->as_string();
  logged.continuations = strings(*line.find("continuations"));
  logged.contexts.resize(logged.continuations.size());
  logged.resps = *line.find("resps");
  for (const auto& [name, value] : line.find("metrics")->as_dict())
    logged.metrics.push_back(name.as_string());
  return logged;
}

core::TaskRecord rebuild(const std::string& name, core::OutputType type,
                         const std::vector<Logged>& logged) {
  core::TaskRecord record;
  record.task.name = name;
  record.task.output_type = type;
  for (const std::string& metric : logged.front().metrics)
    record.task.metrics.push_back({metric, "", metric != "perplexity", Value()});
  for (const Logged& document : logged) add(record, document);
  record.task.total_documents = logged.size();
  return record;
}

std::string without_own_block(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    const std::string line = lines.substr(at, end - at);
    const std::size_t own = line.rfind(", \"tare\": {\"schema_version\"");
    REQUIRE(own != std::string::npos);
    out += line.substr(0, own) + "}\n";
    at = end + 1;
  }
  return out;
}

}  // namespace tare::test
