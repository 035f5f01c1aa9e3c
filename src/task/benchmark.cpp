#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/python.h"
#include "task/compile.h"
#include "task/field_table.h"
#include "task/task.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;

base::Failure refuse(const std::string& where, std::string_view key, const Value& found,
                     std::string_view wanted) {
  return base::input_error(
      fmt::format("{}: {}: found {}, wanted {}", where, key, describe_value(found), wanted));
}

/// The texts under the keys of a dict that may have no others.
template <std::size_t N>
Result<std::array<std::string, N>> texts_of(const std::string& where, const Value& dict,
                                            const std::array<const char*, N>& keys) {
  std::array<std::string, N> texts;
  if (!dict.is_dict()) return refuse(where, "it", dict, "a mapping");
  for (std::size_t i = 0; i < N; ++i) {
    const Value* value = dict.find(keys[i]);
    if (value == nullptr || !value->is_string())
      return refuse(where, keys[i], value == nullptr ? Value() : *value, "a text");
    texts[i] = value->as_string();
  }
  return texts;
}

Result<std::vector<std::string>> text_list(const std::string& where, std::string_view key,
                                           const Value& list) {
  std::vector<std::string> texts;
  if (!list.is_list()) return refuse(where, key, list, "a list of names");
  for (const Value& item : list.items()) texts.push_back(base::python::str(item));
  return texts;
}

Result<std::vector<DataPlace>> places_of(const std::string& where, const Value& list) {
  std::vector<DataPlace> places;
  if (!list.is_list()) return refuse(where, "other_data", list, "a list of mappings");
  for (const Value& entry : list.items()) {
    const std::string inside = where + ": other_data";
    TARE_TRY(const auto path, texts_of<1>(inside, entry, {"dataset_path"}));
    DataPlace place{path[0], std::nullopt, {}};
    if (const Value* name = entry.find("dataset_name")) place.name = base::python::str(*name);
    if (const Value* arguments = entry.find("dataset_kwargs")) place.arguments = *arguments;
    places.push_back(std::move(place));
  }
  return places;
}

base::Status set_key(const std::string& where, const std::string& key, const Value& value,
                     Benchmark& benchmark) {
  if (key == "subtask") {
    if (!value.is_string()) return refuse(where, key, value, "the name of a column");
    benchmark.subtask = value.as_string();
  } else if (key == "subtasks") {
    TARE_TRY(benchmark.subtasks, text_list(where, key, value));
  } else if (key == "documents") {
    if (!value.is_int() || value.as_int() < 1) return refuse(where, key, value, "a number from 1");
    benchmark.documents = static_cast<std::size_t>(value.as_int());
  } else if (key == "subtask_source") {
    TARE_TRY(auto texts,
             texts_of<3>(where + ": subtask_source", value, {"dataset_name", "split", "key"}));
    benchmark.subtask_source = SubtaskSource{texts[0], texts[1], texts[2]};
  } else if (key == "other_data") {
    TARE_TRY(benchmark.other_data, places_of(where, value));
  } else {
    return base::input_error(
        fmt::format("{}: unknown key '{}'; there is {}", where, key,
                    base::join_or(std::vector<std::string>{"subtask", "subtasks", "documents",
                                                           "subtask_source", "other_data"})));
  }
  return {};
}

}  // namespace

Result<Benchmark> benchmark_of(const TaskConfig& config) {
  Benchmark benchmark;
  const Value* written = config.metadata.find("tare");
  if (written == nullptr || written->is_none()) return benchmark;
  const std::string where = field_place(config, "metadata") + ".tare";
  if (!written->is_dict()) return refuse(where, "it", *written, "a mapping");
  for (const auto& [key, value] : written->as_dict())
    TARE_CHECK(set_key(where, base::python::str(key), value, benchmark));
  return benchmark;
}

}  // namespace tare::task
