#include "data/dataset.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "data/cast.h"
#include "data/parquet.h"
#include "data/source.h"
#include "data/urls.h"

namespace tare::data {
namespace fs = std::filesystem;
namespace {

using base::Result;
using Batches = std::vector<Batch>;

Result<std::string> unpacked(std::string bytes, const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".gz") return decompress(bytes, Compression::gzip, file.string());
  if (extension == ".zst") return decompress(bytes, Compression::zstd, file.string());
  return bytes;
}

Result<Batches> read_parquet(std::string_view bytes, const std::string& name) {
  TARE_TRY(Batch batch, read_parquet_table(bytes, name));
  Batches batches;
  if (!batch.rows.empty()) batches.push_back(std::move(batch));
  return batches;
}

Result<Batches> read_batches(std::string_view bytes, const std::string& name, Format format,
                             const Options& options, const Type* known) {
  switch (format) {
    case Format::json:
      return read_json_table(bytes, name, options.json, known);
    case Format::csv:
      return read_csv_table(bytes, name, options.csv);
    case Format::text:
      return read_text_table(bytes, name, options.text);
    case Format::parquet:
      break;
  }
  return read_parquet(bytes, name);
}

/// Rows of one file that were typed together.
struct Piece {
  std::string file;
  std::size_t first_row = 1;
  Batch batch;
};

/// Casts the rows of a piece to the types of its columns and appends them.
base::Status append(Piece& piece, const Type& target, core::Split& split) {
  const Type& schema = piece.batch.schema;
  const bool alike = schema == target;
  std::size_t number = piece.first_row;
  for (base::Value& row : piece.batch.rows) {
    auto changed = alike ? Result<base::Value>(std::move(row)) : cast(row, schema, target);
    if (!changed)
      return base::in_context(
          fmt::format("{}: row {}", piece.file, number),
          {base::ErrorKind::input,
           changed.error().text + ", the type that earlier rows or the README gave this column; "
                                  "give the column one type"});
    split.rows.push_back(std::move(*changed));
    ++number;
  }
  return {};
}

Result<core::Split> join(std::vector<Piece> pieces, const Type& target) {
  core::Split split;
  for (const Field& field : target.fields) split.columns.push_back(field.name.as_string());
  for (Piece& piece : pieces) {
    TARE_CHECK(append(piece, target, split));
    for (std::string& column : piece.batch.left_out)
      if (std::find(split.left_out.begin(), split.left_out.end(), column) == split.left_out.end())
        split.left_out.push_back(std::move(column));
  }
  return split;
}

/// Whether later splits of a data set take their types from the first one.
bool typed_by_content(Format format) {
  return format == Format::json || format == Format::csv;
}

class Loader {
 public:
  Loader(Source source, core::Remote* remote) : source_(std::move(source)), remote_(remote) {
    if (source_.features) known_ = *source_.features;
  }

  Result<core::Dataset> load(const std::vector<std::string>& wanted) {
    for (std::size_t i = 0; i < source_.splits.size(); ++i) {
      const SplitFiles& split = source_.splits[i];
      const bool is_wanted =
          wanted.empty() || std::find(wanted.begin(), wanted.end(), split.name) != wanted.end();
      if (is_wanted) {
        TARE_TRY(core::Split read, read_split(split));
        dataset_.splits.emplace(split.name, std::move(read));
      } else if (i == 0 && typed_by_content(source_.format) && !known_) {
        TARE_CHECK(learn_types(split));
      }
    }
    return std::move(dataset_);
  }

 private:
  [[nodiscard]] base::Status check_files(const SplitFiles& split) const {
    if (split.files.empty() || !split.missing.empty())
      return base::input_error(
          fmt::format("{}: split {}: no file is called {}", source_.subject, split.name,
                      base::join_or(split.missing.empty() ? split.patterns : split.missing)));
    return {};
  }

  /// The file's bytes, which are also entered in the list of what was read. A URL is fetched first.
  Result<std::string> read_source(const fs::path& file) {
    const bool remote = is_url(file.string());
    fs::path local = file;
    if (remote) {
      TARE_TRY(local, remote_->fetch(file.string()));
    }
    TARE_TRY(std::string bytes, base::read_file(local));
    const auto seen = [&](const core::SourceFile& each) { return each.path == local.string(); };
    if (std::none_of(dataset_.files.begin(), dataset_.files.end(), seen))
      dataset_.files.push_back({local.string(), base::sha256_hex(bytes),
                                remote ? file.string() : "", remote ? source_.revision : ""});
    return unpacked(std::move(bytes), local);
  }

  Result<std::vector<Piece>> read_pieces(const SplitFiles& split) {
    std::vector<Piece> pieces;
    for (const fs::path& file : split.files) {
      TARE_TRY(const std::string bytes, read_source(file));
      const Type* known = known_           ? &*known_
                          : pieces.empty() ? nullptr
                                           : &pieces.front().batch.schema;
      TARE_TRY(Batches batches,
               read_batches(bytes, file.string(), source_.format, source_.options, known));
      std::size_t row = 1;
      for (Batch& batch : batches) {
        const std::size_t count = batch.rows.size();
        pieces.push_back({file.string(), row, std::move(batch)});
        row += count;
      }
    }
    return pieces;
  }

  Result<core::Split> read_split(const SplitFiles& split) {
    TARE_CHECK(check_files(split));
    TARE_TRY(std::vector<Piece> pieces, read_pieces(split));
    if (pieces.empty())
      return base::input_error(fmt::format("{}: split {} has no rows ({})", source_.subject,
                                           split.name, split.files.front().string()));
    Type target = known_.value_or(Type{Type::Kind::structure, {}, {}});
    for (const Piece& piece : pieces) extend(target, piece.batch.schema);
    if (typed_by_content(source_.format) && !known_) known_ = target;
    return join(std::move(pieces), target);
  }

  /// Reads the first rows of the first split for their types alone; where its files are not here,
  /// the first wanted split settles the types.
  base::Status learn_types(const SplitFiles& split) {
    if (split.files.empty()) return {};
    Options options = source_.options;
    options.json.first_batch_only = true;
    options.csv.first_batch_only = true;
    const fs::path& file = split.files.front();
    TARE_TRY(const std::string bytes, read_source(file));
    TARE_TRY(const Batches batches,
             read_batches(bytes, file.string(), source_.format, options, nullptr));
    if (!batches.empty()) known_ = batches.front().schema;
    return {};
  }

  Source source_;
  core::Remote* remote_;
  std::optional<Type> known_;  ///< what the README or the first split says
  core::Dataset dataset_;
};

base::Status check_wanted(const Source& source, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const SplitFiles& split : source.splits) names.push_back(split.name);
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return base::input_error(fmt::format("{}: found no split {}, wanted {}", source.subject, name,
                                           base::join_or(names)));
  return {};
}

}  // namespace

Result<core::Dataset> open_dataset(const DatasetSpec& spec, const Sources& sources,
                                   const std::vector<std::string>& wanted) {
  TARE_TRY(Source source, find_source(spec, sources));
  TARE_CHECK(check_wanted(source, wanted));
  return Loader(std::move(source), sources.remote).load(wanted);
}

Result<core::Split> read_table(const fs::path& file) {
  const std::string extension = main_extension({file});
  if (extension.empty())
    return base::input_error(fmt::format(
        "{}: found an unknown extension, wanted .parquet, .jsonl, .json, .csv, .tsv or .txt",
        file.string()));
  Source source{file.string(),
                *format_of_extension(extension),
                options_of_extension(extension),
                {{"train", {}, {file}, {}}},
                {}};
  TARE_TRY(core::Dataset dataset, Loader(std::move(source), nullptr).load({}));
  return std::move(dataset.splits.begin()->second);
}

}  // namespace tare::data
