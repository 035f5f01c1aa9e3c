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

/// Where a file lies here; a URL is fetched first. Its hash is not taken yet.
Result<core::SourceFile> localise(const fs::path& file, const std::string& revision,
                                  core::Remote* remote) {
  const std::string name = file.string();
  if (!is_url(name)) return core::SourceFile{name, {}};
  TARE_TRY(const fs::path local, remote->fetch(name));
  return core::SourceFile{local.string(), {}, name, revision};
}

base::Status check_files(const Source& source, const SplitFiles& split) {
  if (split.files.empty() || !split.missing.empty())
    return base::input_error(
        fmt::format("{}: split {}: no file is called {}", source.subject, split.name,
                    base::join_or(split.missing.empty() ? split.patterns : split.missing)));
  return {};
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
  /// The file's bytes, which are also entered in the list of what was read.
  Result<std::string> read_source(const fs::path& file) {
    TARE_TRY(core::SourceFile source, localise(file, source_.revision, remote_));
    TARE_TRY(std::string bytes, base::read_file(source.path));
    const auto seen = [&](const core::SourceFile& each) { return each.path == source.path; };
    const fs::path local = source.path;
    if (std::none_of(dataset_.files.begin(), dataset_.files.end(), seen)) {
      source.sha256 = base::sha256_hex(bytes);
      dataset_.files.push_back(std::move(source));
    }
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
    TARE_CHECK(check_files(source_, split));
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

Result<std::vector<core::SourceFile>> fetch_files(const DatasetSpec& spec, const Sources& sources,
                                                  const std::vector<std::string>& wanted) {
  TARE_TRY(const Source source, find_source(spec, sources));
  TARE_CHECK(check_wanted(source, wanted));
  std::vector<core::SourceFile> files;
  for (const SplitFiles& split : source.splits) {
    if (!wanted.empty() && std::ranges::find(wanted, split.name) == wanted.end()) continue;
    TARE_CHECK(check_files(source, split));
    for (const fs::path& file : split.files) {
      TARE_TRY(core::SourceFile fetched, localise(file, source.revision, sources.remote));
      TARE_TRY(fetched.sha256, base::sha256_file(fetched.path));
      files.push_back(std::move(fetched));
    }
  }
  return files;
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
