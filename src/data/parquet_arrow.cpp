#include <arrow/config.h>
#include <arrow/io/compressed.h>
#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/table.h>
#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>

#include <exception>

#include "data/arrow_values.h"
#include "data/dataset.h"
#include "data/parquet.h"

namespace tare::data {
namespace {

using base::List;
using base::Result;
using base::Value;

constexpr std::int64_t kChunk = 1 << 20;

base::Failure refused(std::string_view name, std::string_view what, const arrow::Status& status) {
  return base::input_error(fmt::format("{}: {}: {}", name, what, status.message()));
}

std::shared_ptr<arrow::io::BufferReader> over(std::string_view bytes) {
  return std::make_shared<arrow::io::BufferReader>(
      std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      static_cast<std::int64_t>(bytes.size())));
}

arrow::Result<std::shared_ptr<arrow::Table>> read_arrow_table(std::string_view bytes) {
  ARROW_ASSIGN_OR_RAISE(auto reader,
                        parquet::arrow::OpenFile(over(bytes), arrow::default_memory_pool()));
  ARROW_ASSIGN_OR_RAISE(auto table, reader->ReadTable());
  ARROW_RETURN_NOT_OK(table->ValidateFull());
  return table;
}

/// One column of all chunks.
Result<List> column_values(const arrow::ChunkedArray& column) {
  List values;
  values.reserve(static_cast<std::size_t>(column.length()));
  for (const auto& chunk : column.chunks()) {
    TARE_TRY(List part, values_of_arrow(*chunk));
    std::move(part.begin(), part.end(), std::back_inserter(values));
  }
  return values;
}

Result<Batch> to_batch(const arrow::Table& table) {
  Batch batch;
  batch.schema.kind = Type::Kind::structure;
  std::vector<base::Dict> rows(static_cast<std::size_t>(table.num_rows()));
  for (int c = 0; c < table.num_columns(); ++c) {
    const auto& field = *table.schema()->field(c);
    auto type = type_of_arrow(*field.type());
    if (!type) {
      batch.left_out.push_back(fmt::format("{}: {}", field.name(), field.type()->ToString()));
      continue;
    }
    auto values = column_values(*table.column(c));
    if (!values) return base::in_context("column " + field.name(), values.error());
    const Value key(field.name());
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].set(key, std::move((*values)[r]));
    batch.schema.fields.push_back({key, std::move(*type)});
  }
  batch.rows.reserve(rows.size());
  for (base::Dict& row : rows) batch.rows.emplace_back(std::move(row));
  return batch;
}

arrow::Result<std::string> inflate(std::string_view bytes, arrow::Compression::type type) {
  ARROW_ASSIGN_OR_RAISE(auto codec, arrow::util::Codec::Create(type));
  ARROW_ASSIGN_OR_RAISE(auto stream,
                        arrow::io::CompressedInputStream::Make(codec.get(), over(bytes)));
  std::string out;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(auto chunk, stream->Read(kChunk));
    if (chunk->size() == 0) return out;
    out += std::string_view(*chunk);
  }
}

}  // namespace

bool parquet_available() {
  return true;
}

std::string parquet_version() {
  return arrow::GetBuildInfo().version_string;
}

Result<Batch> read_parquet_table(std::string_view bytes, std::string_view name) try {
  auto table = read_arrow_table(bytes);
  if (!table.ok()) return refused(name, "is no readable Parquet file", table.status());
  auto batch = to_batch(**table);
  if (!batch) return base::in_context(std::string(name), batch.error());
  return batch;
} catch (const std::exception& error) {
  return base::input_error(fmt::format("{}: is no readable Parquet file: {}", name, error.what()));
}

Result<std::string> decompress(std::string_view bytes, Compression compression,
                               std::string_view name) try {
  auto text = inflate(bytes, compression == Compression::gzip ? arrow::Compression::GZIP
                                                              : arrow::Compression::ZSTD);
  if (!text.ok()) return refused(name, "cannot be decompressed", text.status());
  return std::move(*text);
} catch (const std::exception& error) {
  return base::input_error(fmt::format("{}: cannot be decompressed: {}", name, error.what()));
}

}  // namespace tare::data
