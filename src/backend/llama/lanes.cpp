#include "backend/llama/lanes.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>

#include "backend/llama/manner_context.h"

namespace tare::backend::llama {
namespace {

using base::Status;

std::size_t longest(std::span<const Lane> lanes) {
  std::size_t length = 0;
  for (const Lane& lane : lanes) length = std::max(length, lane.tokens.size());
  return length;
}

}  // namespace

base::Result<Lanes> Lanes::open(llama_model& model, const core::Manner& manner,
                                std::size_t tokens) {
  TARE_TRY(ContextPtr context, make_context(model, manner, tokens));
  const auto width = static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(&model)));
  return Lanes(std::move(context), manner, width);
}

Status Lanes::begin(std::span<const Lane> lanes, const Reader& reader) {
  llama_memory_clear(llama_get_memory(context_.get()), true);
  const std::size_t end = longest(lanes), kept = std::min(manner_.prefix, end / 2);
  std::vector<Row> rows;
  std::vector<bool> read;
  const auto flush = [&]() -> Status {
    if (rows.empty()) return {};
    TARE_CHECK(decode(rows, read, reader));
    rows.clear();
    read.clear();
    return {};
  };
  for (std::size_t position = 0; position < end; ++position) {
    if (position == kept || rows.size() + lanes.size() > manner_.batch) TARE_CHECK(flush());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (position >= lanes[lane].tokens.size()) continue;
      rows.push_back({lanes[lane].tokens[position], position, lane});
      read.push_back(position >= lanes[lane].read_from);
    }
  }
  return flush();
}

Status Lanes::go_on(std::span<const Row> rows, const Reader& reader) {
  return decode(rows, std::vector<bool>(rows.size(), true), reader);
}

Status Lanes::decode(std::span<const Row> rows, const std::vector<bool>& read,
                     const Reader& reader) {
  Batch batch;
  batch.fill(rows, read);
  if (const std::string fault = decode_fault(*context_, batch.view()); !fault.empty())
    return base::work_failed(
        fmt::format("llama.cpp: decoding {} tokens failed: {}", rows.size(), fault));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (read[i])
      reader(rows[i].stream,
             {llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(i)), width_});
  return {};
}

}  // namespace tare::backend::llama
