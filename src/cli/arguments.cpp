#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>

#include "base/json.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Value;

std::optional<double> real_number(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || rest != end || text.empty()) return std::nullopt;
  return value;
}

Value argument_value(const std::string& text) {
  const std::string lower = base::unicode::lower(text);
  if (lower == "true" || lower == "false") return lower == "true";
  if (lower == "none") return {};
  if (auto literal = base::python::parse_literal(text)) return *literal;
  if (const auto number = real_number(text)) return *number;
  return text;
}

Result<Value> parse_object(const std::string& option, const std::string& text) {
  auto object = base::json::parse(text);
  if (!object) return base::in_context(option, object.error());
  if (object->is_dict()) return object;
  return base::usage_error(fmt::format("{} {}: wanted a JSON object or k=v,k=v", option, text));
}

}  // namespace

std::vector<std::string> split_top_level(std::string_view text, char separator) {
  std::vector<std::string> parts{""};
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if (c == ']' || c == ')' || c == '}') {
      depth = std::max(depth - 1, 0);
    } else if (c == separator && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  std::erase_if(parts, [](const std::string& part) { return base::unicode::strip(part).empty(); });
  return parts;
}

std::vector<std::string> split_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& argument : arguments)
    for (std::string& word : CLI::detail::split(argument, ','))
      if (!base::unicode::strip(word).empty()) words.emplace_back(base::unicode::strip(word));
  return words;
}

Result<Value> parse_arguments(const std::string& option, const std::string& text) {
  const std::string_view stripped = base::unicode::strip(text);
  if (stripped.empty()) return Value();
  if (stripped.front() == '{') return parse_object(option, text);
  std::vector<std::string> parts = split_top_level(stripped, ',');
  if (parts.size() == 1) parts = split_top_level(stripped, ' ');
  base::Dict dict;
  for (const std::string& part : parts) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      return base::usage_error(fmt::format("{} {}: '{}' is no k=v; wanted k=v,k=v or a JSON object",
                                           option, text, part));
    const std::string name(base::unicode::strip(part.substr(0, equals)));
    dict.set(name, argument_value(std::string(base::unicode::strip(part.substr(equals + 1)))));
  }
  return Value(std::move(dict));
}

Result<Value> merge_arguments(const std::string& option, const std::vector<std::string>& words) {
  base::Dict merged;
  for (const std::string& word : words) {
    TARE_TRY(const Value part, parse_arguments(option, word));
    if (part.is_none()) continue;
    for (const auto& [name, value] : part.as_dict()) merged.set(name, value);
  }
  return merged.empty() ? Value() : Value(std::move(merged));
}

}  // namespace tare::cli
