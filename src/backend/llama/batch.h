#pragma once

#include <llama.h>

#include <span>
#include <vector>

#include "backend/llama/schedule.h"

namespace tare::backend::llama {

/// A row of a decode whose logits are read, and for which reads.
struct OutputRow {
  std::size_t row = 0;  ///< in the batch
  std::span<const Read> reads;
};

/// In the order of the batch. They point into `decode`.
std::vector<OutputRow> output_rows(const Decode& decode);

/// One token appended to a stream.
struct Row {
  core::Token token = 0;
  std::size_t position = 0;
  std::size_t stream = 0;
};

/// A decode in llama.cpp's form: stream by stream, each one's tokens, then its padding.
class Batch {
 public:
  /// Marks the rows that are read as outputs, and as many more as make a multiple of `tile`.
  void fill(const Decode& decode, std::span<const ScoreItem> items, std::size_t tile);
  /// These rows, all of them outputs.
  void fill(std::span<const Row> rows);
  /// These rows, with whether each is an output.
  void fill(std::span<const Row> rows, const std::vector<bool>& outputs);
  /// These rows; outputs are those of one stream.
  void fill(std::span<const Row> rows, std::size_t output_stream);
  [[nodiscard]] llama_batch view();

 private:
  void clear();
  void list_streams();
  void add(llama_token token, std::size_t position, std::size_t stream);
  void mark_outputs(const Decode& decode, std::size_t tile);

  std::vector<llama_token> tokens_;
  std::vector<llama_pos> positions_;
  std::vector<llama_seq_id> streams_;
  std::vector<llama_seq_id*> stream_lists_;
  std::vector<std::int32_t> stream_counts_;
  std::vector<std::int8_t> outputs_;
};

}  // namespace tare::backend::llama
