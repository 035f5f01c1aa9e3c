#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/csv_table.h"
#include "data/json_table.h"
#include "data/text_table.h"

namespace tare::data {

/// The builders of `datasets` that tare has.
enum class Format { json, csv, parquet, text };

struct Options {
  JsonOptions json;
  CsvOptions csv;
  TextOptions text;
};

std::string_view format_name(Format format);
/// "json", "csv", "parquet" and "text".
std::optional<Format> format_of_builder(std::string_view builder);
/// By an extension with its dot: ".jsonl", ".tsv", ...
std::optional<Format> format_of_extension(std::string_view extension);
/// What a file with this extension is read with: ".tsv" separates by tabs.
Options options_of_extension(std::string_view extension);

/// Reads the arguments of a builder (sep, header, field, ...) into `options`. Names that say
/// nothing about the rows (trust_remote_code, revision, ...) are passed over. `subject` begins each
/// error.
base::Status read_options(const base::Value& arguments, Format format, std::string_view subject,
                          Options& options);

/// The same for the parameters of a configuration in a README: unknown names are passed over, as
/// the reference does.
base::Status read_card_options(const base::Value& parameters, Format format,
                               std::string_view subject, Options& options);

}  // namespace tare::data
