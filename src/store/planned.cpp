#include "store/planned.h"

#include <algorithm>

#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

namespace field = fields::plan;
using base::Dict;
using base::List;
using base::Value;

Value request_value(const core::Request& request, core::OutputType type) {
  Dict dict;
  dict.set(field::kContext, request.context);
  if (type != core::OutputType::generate_until)
    dict.set(field::kContinuation, request.continuation);
  return dict;
}

Value prompts_value(const core::BuiltTask& task, std::size_t documents) {
  List list;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < std::min(documents, ranges.size()); ++i) {
    List requests;
    for (std::size_t at = ranges[i].first; at < ranges[i].last; ++at)
      requests.push_back(request_value(task.requests[at], task.output_type));
    Dict document;
    document.set(field::kDocId, task.doc_ids[i]);
    document.set(field::kTarget, task.golds[i].target);
    document.set(field::kRequests, std::move(requests));
    list.emplace_back(std::move(document));
  }
  return list;
}

Dict task_dict(const core::BuiltTask& task, std::size_t prompts) {
  Dict dict;
  dict.set(field::kTask, task.name);
  dict.set(field::kRequestType, request_type(task.output_type));
  dict.set(field::kDocuments, task.documents.size());
  dict.set(field::kTotalDocuments, task.total_documents);
  dict.set(field::kShots, task.num_fewshot);
  dict.set(field::kRequests, task.requests.size());
  dict.set(field::kRepeats, task.repeats);
  if (task.output_type == core::OutputType::generate_until)
    dict.set(field::kGeneration, task.generation_arguments);
  dict.set(field::kFiles, files_value(task.files));
  if (prompts > 0) dict.set(field::kPrompts, prompts_value(task, prompts));
  return dict;
}

Value tokens_value(const PlannedTokens& tokens) {
  Dict dict;
  dict.set(field::kRequested, tokens.requested);
  dict.set(field::kUnique, tokens.unique);
  dict.set(field::kLongest, tokens.longest);
  dict.set(field::kContextLength, tokens.context_length);
  dict.set(field::kOverlong, tokens.overlong);
  return dict;
}

Value task_tokens_value(const PlannedTaskTokens& tokens) {
  Dict dict;
  dict.set(field::kRequested, tokens.requested);
  dict.set(field::kUnique, tokens.unique);
  return dict;
}

Value memory_value(const PlannedMemory& memory) {
  Dict dict;
  dict.set(field::kWeights, memory.weights);
  dict.set(field::kKvCache, memory.kv_cache);
  dict.set(field::kCompute, memory.compute);
  dict.set(field::kLogits, memory.logits);
  dict.set(field::kProgram, memory.program);
  dict.set(field::kTotal, memory.total);
  dict.set(field::kAvailable, memory.available == 0 ? Value() : Value(memory.available));
  return dict;
}

Value time_value(const PlannedTime& time) {
  Dict dict;
  dict.set(field::kSeconds, time.seconds);
  dict.set(field::kAtMost, time.at_most);
  return dict;
}

}  // namespace

const char* request_type(core::OutputType type) {
  switch (type) {
    case core::OutputType::loglikelihood:
    case core::OutputType::multiple_choice:
      return "loglikelihood";
    case core::OutputType::loglikelihood_rolling:
      return "loglikelihood_rolling";
    case core::OutputType::generate_until:
      return "generate_until";
  }
  return "?";
}

Value plan_document(const std::string& model, const std::vector<core::BuiltTask>& tasks,
                    const PlannedCosts& costs, std::size_t prompts) {
  const auto& [tokens, memory, time, budget] = costs;
  Dict document;
  document.set(field::kModel, model.empty() ? Value() : Value(model));
  List list;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Dict task = task_dict(tasks[i], prompts);
    if (tokens && i < tokens->by_task.size())
      task.set(field::kTokens, task_tokens_value(tokens->by_task[i]));
    list.emplace_back(std::move(task));
  }
  document.set(field::kTasks, std::move(list));
  document.set(field::kTokens, tokens ? tokens_value(*tokens) : Value());
  document.set(field::kMemory, memory ? memory_value(*memory) : Value());
  document.set(field::kTime, time ? time_value(*time) : Value());
  if (budget) document.set(fields::budget::kBudget, planned_budget_value(*budget));
  return document;
}

}  // namespace tare::store
