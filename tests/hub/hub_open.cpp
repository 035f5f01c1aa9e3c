// Opens a data set of a hub for hub_test.py: takes a request as one JSON text, prints rows, files
// and notes as JSON.

#include <fmt/format.h>

#include "base/json.h"
#include "base/python.h"
#include "data/dataset.h"
#include "hub/hub.h"

namespace {

using namespace tare;
using base::Value;

std::string text(const Value& request, std::string_view key, const std::string& otherwise = "") {
  const Value* value = request.find(key);
  return value == nullptr ? otherwise : value->as_string();
}

bool flag(const Value& request, std::string_view key) {
  const Value* value = request.find(key);
  return value != nullptr && value->truthy();
}

hub::Settings settings_of(const Value& request, base::List& notes) {
  hub::Settings settings;
  settings.endpoint = text(request, "endpoint");
  settings.token = text(request, "token");
  settings.cache = text(request, "cache");
  settings.downloads = text(request, "downloads", text(request, "cache") + "/downloads");
  settings.offline = flag(request, "offline");
  settings.refresh = flag(request, "refresh");
  settings.attempts = 4;
  settings.first_delay = std::chrono::milliseconds(5);
  settings.connect_time = std::chrono::seconds(5);
  settings.stall_time = std::chrono::seconds(2);
  if (const Value* limit = request.find("largest_file"))
    settings.largest_file = static_cast<std::uint64_t>(limit->as_int());
  settings.notify = [&notes](std::string_view note) { notes.emplace_back(note); };
  return settings;
}

base::Result<Value> open(const Value& request) {
  base::List notes;
  hub::Hub hub(settings_of(request, notes));
  data::DatasetSpec spec{text(request, "path"), std::nullopt, Value()};
  if (request.find("name") != nullptr) spec.name = text(request, "name");
  if (const Value* arguments = request.find("arguments")) spec.arguments = *arguments;
  std::vector<std::string> wanted;
  if (const Value* splits = request.find("splits"))
    for (const Value& split : splits->items()) wanted.push_back(split.as_string());
  data::Sources sources;
  sources.remote = &hub;
  TARE_TRY(const core::Dataset dataset, data::open_dataset(spec, sources, wanted));
  base::Dict splits, answer;
  for (const auto& [name, split] : dataset.splits) splits.set(name, base::List(split.rows));
  base::List files;
  for (const core::SourceFile& file : dataset.files) {
    base::Dict entry;
    entry.set("path", file.path);
    entry.set("sha256", file.sha256);
    entry.set("url", file.url);
    entry.set("revision", file.revision);
    files.emplace_back(std::move(entry));
  }
  answer.set("splits", std::move(splits));
  answer.set("files", std::move(files));
  answer.set("notes", std::move(notes));
  return Value(std::move(answer));
}

}  // namespace

int main(int argc, char** argv) {
  const auto request = base::json::parse(argc > 1 ? argv[1] : "");
  const auto answer = request ? open(*request) : request;
  if (!answer) {
    fmt::print(stderr, "{}\n", answer.error().text);
    return 1;
  }
  fmt::print("{}\n", base::json::dump(*answer));
  return 0;
}
