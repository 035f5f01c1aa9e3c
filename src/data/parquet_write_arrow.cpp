#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

#include <cmath>
#include <exception>

#include "data/parquet_write.h"

namespace tare::data {
namespace {

using ArrayResult = arrow::Result<std::shared_ptr<arrow::Array>>;

struct ArrayOf {
  ArrayResult operator()(const std::vector<std::string>& values) const {
    arrow::StringBuilder builder;
    ARROW_RETURN_NOT_OK(builder.AppendValues(values));
    return builder.Finish();
  }
  ArrayResult operator()(const std::vector<std::int64_t>& values) const {
    arrow::Int64Builder builder;
    ARROW_RETURN_NOT_OK(builder.AppendValues(values));
    return builder.Finish();
  }
  ArrayResult operator()(const std::vector<double>& values) const {
    arrow::DoubleBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Reserve(static_cast<std::int64_t>(values.size())));
    for (const double value : values)
      ARROW_RETURN_NOT_OK(std::isnan(value) ? builder.AppendNull() : builder.Append(value));
    return builder.Finish();
  }
};

arrow::Result<std::string> write(std::span<const Column> columns) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const Column& column : columns) {
    ARROW_ASSIGN_OR_RAISE(auto array, std::visit(ArrayOf{}, column.values));
    fields.push_back(arrow::field(column.name, array->type()));
    arrays.push_back(std::move(array));
  }
  const auto table = arrow::Table::Make(arrow::schema(std::move(fields)), arrays);
  ARROW_RETURN_NOT_OK(table->Validate());
  ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::BufferOutputStream::Create());
  ARROW_RETURN_NOT_OK(
      parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, 1 << 20));
  ARROW_ASSIGN_OR_RAISE(const auto buffer, sink->Finish());
  return buffer->ToString();
}

}  // namespace

base::Result<std::string> parquet_of(std::span<const Column> columns) try {
  auto bytes = write(columns);
  if (!bytes.ok())
    return base::work_failed(
        fmt::format("the table can't be written as Parquet: {}", bytes.status().message()));
  return std::move(*bytes);
} catch (const std::exception& error) {
  return base::work_failed(fmt::format("the table can't be written as Parquet: {}", error.what()));
}

}  // namespace tare::data
