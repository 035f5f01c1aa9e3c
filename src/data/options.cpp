#include "data/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/nearest.h"
#include "base/python.h"

namespace tare::data {
namespace {

using base::Status;
using base::Value;

/// What a parameter's value was and should have been.
base::Failure wanted(const Value& found, std::string_view what) {
  return base::input_error(fmt::format("found {}, wanted {}", base::python::repr(found), what));
}

Status read_character(const Value& value, std::optional<char>& out) {
  if (!value.is_string() || value.as_string().size() != 1)
    return wanted(value, "one ASCII character");
  out = value.as_string()[0];
  return {};
}

Status read_flag(const Value& value, bool& out) {
  if (!value.is_bool()) return wanted(value, "true or false");
  out = value.as_bool();
  return {};
}

Status read_count(const Value& value, std::size_t& out) {
  if (!value.is_int() || value.as_int() < 0) return wanted(value, "a number from 0");
  out = static_cast<std::size_t>(value.as_int());
  return {};
}

Status read_separator(const Value& value, Options& options) {
  std::optional<char> separator;
  TARE_CHECK(read_character(value, separator));
  options.csv.separator = *separator;
  return {};
}

Status read_names(const Value& value, Options& options) {
  const auto is_string = [](const Value& item) { return item.is_string(); };
  if (!value.is_list() || !std::all_of(value.items().begin(), value.items().end(), is_string))
    return wanted(value, "a list of column names");
  std::vector<std::string> names;
  for (const Value& item : value.items()) names.push_back(item.as_string());
  options.csv.names = std::move(names);
  return {};
}

Status read_header(const Value& value, Options& options) {
  if (value.is_string() && value.as_string() == "infer") return {};
  options.csv.header.reset();
  if (value.is_none()) return {};
  return read_count(value, options.csv.header.emplace());
}

Status read_quoting(const Value& value, Options& options) {
  if (value == Value(0)) return {};
  if (value != Value(3)) return wanted(value, "0 (quotes protect) or 3 (quotes are ordinary)");
  options.csv.quote.reset();
  return {};
}

Status read_sample_by(const Value& value, Options& options) {
  using SampleBy = TextOptions::SampleBy;
  if (value == Value("line"))
    options.text.sample_by = SampleBy::line;
  else if (value == Value("paragraph"))
    options.text.sample_by = SampleBy::paragraph;
  else if (value == Value("document"))
    options.text.sample_by = SampleBy::document;
  else
    return wanted(value, "line, paragraph or document");
  return {};
}

Status read_encoding(const Value& value, Options&) {
  if (value.is_none() || value == Value("utf-8") || value == Value("utf8")) return {};
  return wanted(value, "utf-8; convert the file");
}

Status read_field(const Value& value, Options& options) {
  if (value.is_none()) return {};
  if (!value.is_string()) return wanted(value, "the name of a field");
  options.json.field = value.as_string();
  return {};
}

struct Parameter {
  std::string_view name;
  Status (*read)(const Value&, Options&);
};

constexpr std::array kJson = {
    Parameter{"field", read_field},
    Parameter{"encoding", read_encoding},
};
constexpr std::array kCsv = {
    Parameter{"sep", read_separator},
    Parameter{"delimiter", read_separator},
    Parameter{"names", read_names},
    Parameter{"column_names", read_names},
    Parameter{"header", read_header},
    Parameter{"quotechar",
              [](const Value& value, Options& options) {
                return read_character(value, options.csv.quote);
              }},
    Parameter{"quoting", read_quoting},
    Parameter{"skiprows",
              [](const Value& value, Options& options) {
                return read_count(value, options.csv.skip_lines);
              }},
    Parameter{"keep_default_na",
              [](const Value& value, Options& options) {
                return read_flag(value, options.csv.na_words);
              }},
    Parameter{"na_filter",
              [](const Value& value, Options& options) {
                return read_flag(value, options.csv.na_filter);
              }},
    Parameter{"encoding", read_encoding},
};
constexpr std::array kText = {
    Parameter{"sample_by", read_sample_by},
    Parameter{"keep_linebreaks",
              [](const Value& value, Options& options) {
                return read_flag(value, options.text.keep_line_breaks);
              }},
    Parameter{"encoding", read_encoding},
};

/// Arguments of load_dataset that decide where files come from or how they are cached, not what
/// rows they hold; data_files and data_dir are read elsewhere.
constexpr std::array<std::string_view, 14> kPassedOver = {
    "data_files",     "data_dir",   "trust_remote_code", "revision",          "streaming",
    "cache_dir",      "token",      "download_mode",     "verification_mode", "num_proc",
    "keep_in_memory", "save_infos", "download_config",   "storage_options"};

std::span<const Parameter> parameters_of(Format format) {
  switch (format) {
    case Format::json:
      return kJson;
    case Format::csv:
      return kCsv;
    case Format::text:
      return kText;
    case Format::parquet:
      break;
  }
  return {};
}

base::Failure unknown(std::string_view name, Format format, std::string_view subject) {
  std::vector<std::string> known = {"data_files", "data_dir"};
  for (const Parameter& parameter : parameters_of(format)) known.emplace_back(parameter.name);
  return base::input_error(
      fmt::format("{}: found the argument {}, wanted {} (what tare's {} reader takes)", subject,
                  name, base::join_or(known), format_name(format)));
}

Status read_all(const Value& arguments, Format format, std::string_view subject, bool strict,
                Options& options) {
  if (!arguments.is_dict()) return {};
  bool has_header = false;
  for (const auto& [key, value] : arguments.as_dict()) {
    const std::string name = base::python::str(key);
    const auto parameters = parameters_of(format);
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& each) { return each.name == name; });
    if (found == parameters.end()) {
      const bool passed =
          std::find(kPassedOver.begin(), kPassedOver.end(), name) != kPassedOver.end();
      if (strict && !passed) return unknown(name, format, subject);
      continue;
    }
    if (auto read = found->read(value, options); !read)
      return base::in_context(fmt::format("{}: {}", subject, name), read.error());
    has_header = has_header || (name == "header" && value != Value("infer"));
  }
  // Names given without a header mean that the file has none.
  if (options.csv.names && !has_header) options.csv.header.reset();
  return {};
}

}  // namespace

std::string_view format_name(Format format) {
  switch (format) {
    case Format::json:
      return "json";
    case Format::csv:
      return "csv";
    case Format::parquet:
      return "parquet";
    case Format::text:
      break;
  }
  return "text";
}

std::optional<Format> format_of_builder(std::string_view builder) {
  for (const Format format : {Format::json, Format::csv, Format::parquet, Format::text})
    if (builder == format_name(format)) return format;
  return std::nullopt;
}

std::optional<Format> format_of_extension(std::string_view extension) {
  constexpr std::array kExtensions = {std::pair{".json", Format::json},
                                      std::pair{".jsonl", Format::json},
                                      std::pair{".ndjson", Format::json},
                                      std::pair{".csv", Format::csv},
                                      std::pair{".tsv", Format::csv},
                                      std::pair{".parquet", Format::parquet},
                                      std::pair{".geoparquet", Format::parquet},
                                      std::pair{".gpq", Format::parquet},
                                      std::pair{".txt", Format::text}};
  for (const auto& [known, format] : kExtensions)
    if (extension == known) return format;
  return std::nullopt;
}

Options options_of_extension(std::string_view extension) {
  Options options;
  if (extension == ".tsv") options.csv.separator = '\t';
  return options;
}

Status read_options(const Value& arguments, Format format, std::string_view subject,
                    Options& options) {
  return read_all(arguments, format, subject, true, options);
}

Status read_card_options(const Value& parameters, Format format, std::string_view subject,
                         Options& options) {
  return read_all(parameters, format, subject, false, options);
}

}  // namespace tare::data
