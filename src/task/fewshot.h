#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/python_random.h"
#include "base/result.h"
#include "core/document.h"
#include "task/doc_field.h"
#include "task/process_docs.h"
#include "task/prompt.h"
#include "task/task.h"

namespace tare::task {

/// Where few-shot examples come from.
struct FewshotSource {
  std::string field;  ///< the key that names the split; "" where `samples` gives the documents
  std::string split;
};
FewshotSource fewshot_source(const TaskConfig& config);

/// True if the evaluated document must not be among its own examples: lm-eval asks whether the
/// few-shot split is the test split, and two absent ones count as the same.
bool excludes_eval_document(const TaskConfig& config);

/// Chooses examples as lm-eval's samplers do, draw for draw. One per task; the generator's state
/// goes on from document to document.
class FewshotSampler {
 public:
  FewshotSampler(const TaskConfig& config, const BuildOptions& options);

  /// Positions in the pool of `count` examples for a document.
  base::Result<std::vector<std::size_t>> choose(const std::vector<core::Document>& pool,
                                                std::size_t count, const core::Document& document);

 private:
  base::Result<std::vector<std::size_t>> drawn_excluding(const std::vector<core::Document>& pool,
                                                         std::size_t count,
                                                         const core::Document& document);

  base::PythonRandom random_;
  bool first_n_;
  bool excludes_;
};

/// The pool with each document's turn, rendered when first used.
class FewshotPool {
 public:
  static base::Result<FewshotPool> open(const TaskConfig& config, ProcessedSplits& splits,
                                        const std::vector<std::string>& columns);

  [[nodiscard]] const std::vector<core::Document>& documents() const { return documents_; }
  /// The question and answer of one document. `multiple_input`: the text is an index into the
  /// choices.
  base::Result<const std::vector<Message>*> turn(std::size_t position, bool multiple_input);

 private:
  [[nodiscard]] base::Result<Turn> read(std::size_t position, bool multiple_input) const;

  std::string task_;
  FewshotConfig config_;
  std::vector<core::Document> documents_;
  DocFields fields_;
  OptionalText gen_prefix_;
  std::vector<std::optional<std::vector<Message>>> turns_;
};

}  // namespace tare::task
