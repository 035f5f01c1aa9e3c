#include "backend/llama/batch.h"

namespace tare::backend::llama {

std::vector<OutputRow> output_rows(const Decode& decode) {
  std::vector<OutputRow> rows;
  for (std::size_t w = 0; w < decode.work.size(); ++w) {
    const StreamWork& work = decode.work[w];
    const std::span<const Read> reads = work.reads;
    for (std::size_t begin = 0, end = 0; begin < reads.size(); begin = end) {
      const std::size_t position = reads[begin].position;
      while (end < reads.size() && reads[end].position == position) ++end;
      rows.push_back({w * decode.rows + position - work.keep, reads.subspan(begin, end - begin)});
    }
  }
  return rows;
}

void Batch::fill(const Decode& decode, std::span<const ScoreItem> items, std::size_t tile) {
  clear();
  for (const StreamWork& work : decode.work) {
    const std::vector<core::Token>& tokens = items[work.item].tokens;
    for (std::size_t i = 0; i < decode.rows; ++i) {
      const core::Token token = i < work.count ? tokens[work.keep + i] : 0;
      add(token, work.keep + i, work.stream);
    }
  }
  list_streams();
  mark_outputs(decode, tile);
}

void Batch::fill(std::span<const Row> rows) {
  clear();
  for (const Row& row : rows) add(row.token, row.position, row.stream);
  list_streams();
  outputs_.assign(tokens_.size(), 1);
}

void Batch::fill(std::span<const Row> rows, const std::vector<bool>& outputs) {
  fill(rows);
  outputs_.assign(outputs.begin(), outputs.end());
}

void Batch::fill(std::span<const Row> rows, std::size_t output_stream) {
  fill(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) outputs_[i] = rows[i].stream == output_stream;
}

void Batch::clear() {
  tokens_.clear();
  positions_.clear();
  streams_.clear();
}

void Batch::list_streams() {
  stream_counts_.assign(tokens_.size(), 1);
  stream_lists_.clear();
  for (llama_seq_id& stream : streams_) stream_lists_.push_back(&stream);
}

void Batch::add(llama_token token, std::size_t position, std::size_t stream) {
  tokens_.push_back(token);
  positions_.push_back(static_cast<llama_pos>(position));
  streams_.push_back(static_cast<llama_seq_id>(stream));
}

void Batch::mark_outputs(const Decode& decode, std::size_t tile) {
  outputs_.assign(tokens_.size(), 0);
  const std::vector<OutputRow> rows = output_rows(decode);
  for (const OutputRow& output : rows) outputs_[output.row] = 1;
  std::size_t marked = rows.size();
  for (std::size_t i = outputs_.size(); i > 0 && marked % tile != 0; --i) {
    marked += outputs_[i - 1] == 0;
    outputs_[i - 1] = 1;
  }
}

llama_batch Batch::view() {
  return {.n_tokens = static_cast<std::int32_t>(tokens_.size()),
          .token = tokens_.data(),
          .embd = nullptr,
          .pos = positions_.data(),
          .n_seq_id = stream_counts_.data(),
          .seq_id = stream_lists_.data(),
          .logits = outputs_.data()};
}

}  // namespace tare::backend::llama
