#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/request.h"
#include "core/task.h"

/// Small made-up tasks for the tests of this room.
namespace tare::test {

inline core::Response answered(double log_likelihood, bool greedy = false) {
  core::Response response;
  response.outcome = core::LogLikelihood{log_likelihood, greedy};
  return response;
}

inline core::Response failed(const std::string& reason) {
  core::Response response;
  response.outcome = core::RequestFailure{reason};
  return response;
}

/// Adds a document with `requests` requests.
inline void add_document(core::BuiltTask& task, core::Gold gold, std::size_t requests) {
  const std::size_t place = task.documents.size();
  task.documents.emplace_back(base::Dict());
  task.doc_ids.push_back(place);
  task.golds.push_back(std::move(gold));
  for (std::size_t i = 0; i < requests; ++i) task.requests.push_back({place, i, "context", " x"});
}

/// Documents with the choices "a" and "b", one for each target, and the metric "acc".
inline core::BuiltTask two_choices(const std::vector<base::Value>& targets) {
  core::BuiltTask task;
  task.name = "toy";
  task.output_type = core::OutputType::multiple_choice;
  task.metrics = {{"acc", "mean", true, {}}};
  for (const base::Value& target : targets)
    add_document(task, {target, {"a", "b"}, std::nullopt}, 2);
  return task;
}

}  // namespace tare::test
