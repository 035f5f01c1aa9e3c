#include "store/validation.h"

#include "store/fields.h"
#include "store/hashes.h"
#include "store/results.h"

namespace tare::store {
namespace {

namespace field = fields::validation;
using base::Dict;
using base::List;
using base::Value;

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::refused:
      return "refused";
    case Outcome::faulty:
      return "faulty";
  }
  return "?";
}

Value document_hashes(const core::BuiltTask& task) {
  List all;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const DocumentHashes hashes = hash_document(task, i, ranges[i]);
    all.emplace_back(List{task.doc_ids[i], hashes.document, hashes.prompt, hashes.target});
  }
  return all;
}

Value faults(const std::vector<DocumentFaults>& kinds) {
  List all;
  for (const DocumentFaults& kind : kinds) {
    Dict dict;
    dict.set(field::kText, kind.text);
    dict.set(field::kCount, kind.count);
    dict.set(field::kDocIds, List(kind.doc_ids.begin(), kind.doc_ids.end()));
    all.emplace_back(std::move(dict));
  }
  return all;
}

}  // namespace

Value validation_line(const Validation& validation) {
  Dict line;
  line.set(field::kTask, validation.task);
  line.set(field::kStatus, name_of(validation.outcome));
  if (validation.outcome != Outcome::ok) line.set(field::kReason, validation.reason);
  if (!validation.faults.empty()) line.set(field::kFaults, faults(validation.faults));
  List warnings;
  for (const core::Warning& warning : validation.warnings) warnings.emplace_back(warning.text);
  line.set(field::kWarnings, std::move(warnings));
  if (validation.outcome != Outcome::ok) return line;
  line.set(field::kDocuments, validation.built.documents.size());
  line.set(field::kRequests, validation.built.requests.size());
  line.set(field::kShots, validation.built.num_fewshot);
  line.set(field::kTaskHash, task_hash(validation.built));
  line.set(field::kHashes, document_hashes(validation.built));
  return line;
}

}  // namespace tare::store
