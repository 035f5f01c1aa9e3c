#include "task/head.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "text/yaml.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view without_comment(std::string_view text) {
  if (text.starts_with('#')) return {};
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1))
    if (text[at - 1] == ' ' || text[at - 1] == '\t') return trimmed(text.substr(0, at));
  return text;
}

/// Words that YAML 1.1 reads as something else than a text, and beginnings of numbers.
bool surely_text(std::string_view plain) {
  static constexpr std::string_view kReserved[] = {"y",   "n",    "yes",   "no",  "on",
                                                   "off", "true", "false", "null"};
  std::string lower(plain);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (std::ranges::find(kReserved, lower) != std::end(kReserved)) return false;
  const char first = plain.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
         first == '/' || (first == '.' && (plain.starts_with("./") || plain.starts_with("../")));
}

/// True if a colon in the text would make it a key.
bool has_colon_blank(std::string_view plain) {
  return plain.find(": ") != plain.npos || plain.find(":\t") != plain.npos || plain.ends_with(':');
}

/// Where `quote` closes the quoted text that `at` is inside of; npos if that is not on this line.
std::size_t closing_quote(std::string_view line, char quote, std::size_t at) {
  for (; at < line.size(); ++at) {
    const bool doubled = quote == '\'' && line.substr(at).starts_with("''");
    if ((quote == '"' && line[at] == '\\') || doubled) {
      ++at;
    } else if (line[at] == quote) {
      return at;
    }
  }
  return std::string_view::npos;
}

/// A scalar on one line, plain or quoted; empty where that cannot be judged from the line.
std::optional<std::string> scalar(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) {
    const auto close = closing_quote(text, text.front(), 1);
    const std::string_view inside = text.substr(1, close - 1);
    if (close == text.npos || inside.find_first_of("\\'") != text.npos) return std::nullopt;
    if (!without_comment(trimmed(text.substr(close + 1))).empty()) return std::nullopt;
    return std::string(inside);
  }
  const std::string_view plain = without_comment(text);
  if (plain.empty() || !surely_text(plain) || has_colon_blank(plain)) return std::nullopt;
  return std::string(plain);
}

/// "[a, b]" on one line.
std::optional<std::vector<std::string>> flow_list(std::string_view text) {
  const std::string_view body = without_comment(text);
  if (!body.starts_with('[') || !body.ends_with(']')) return std::nullopt;
  std::string_view rest = trimmed(body.substr(1, body.size() - 2));
  std::vector<std::string> items;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    auto item = scalar(trimmed(rest.substr(0, comma)));
    if (!item || item->find_first_of("[]{}") != std::string::npos) return std::nullopt;
    items.push_back(std::move(*item));
    if (comma == std::string_view::npos) break;
    rest = trimmed(rest.substr(comma + 1));
  }
  return items;
}

/// True if every quote and bracket that the line opens is closed on it. Errs on the side of false:
/// quotes are looked for wherever a text might begin.
bool closed(std::string_view line) {
  int depth = 0;
  bool text_may_begin = true;
  for (std::size_t at = 0; at < line.size() && depth >= 0; ++at) {
    const char c = line[at];
    if (text_may_begin && (c == '"' || c == '\'')) {
      at = closing_quote(line, c, at + 1);
      if (at == std::string_view::npos) return false;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    text_may_begin = std::string_view("[{,: \t").find(c) != std::string_view::npos;
  }
  return depth == 0;
}

/// Line breaks that YAML knows besides "\n" and "\r\n".
bool has_other_breaks(std::string_view text) {
  for (auto at = text.find('\r'); at != text.npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  for (std::string_view mark : {"\u0085", "\u2028", "\u2029"})
    if (text.find(mark) != text.npos) return true;
  return false;
}

/// Walks the lines of a block mapping whose keys stand in the first column.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<Head> scan() {
    while (auto line = next_line())
      if (!take(*line)) return std::nullopt;
    return head_;
  }

 private:
  std::optional<std::string_view> next_line() {
    if (rest_.empty()) return std::nullopt;
    const auto end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    return line;
  }

  /// A line that belongs to the value of the key above: indented, an item, a comment, a closing
  /// bracket of a list over several lines.
  static bool belongs_above(std::string_view line) {
    return trimmed(line).empty() || std::string_view(" \t#]}").find(line.front()) != line.npos ||
           line.starts_with("- ") || trimmed(line) == "-";
  }

  /// False where the scan must give up.
  bool take(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (belongs_above(line)) return closed(line) && (seen_key_ || text.empty() || text[0] == '#');
    if (!seen_key_ && text == "---") return true;
    const auto colon = key_end(line);
    if (!colon) return false;
    const std::string_view value = line.substr(*colon + 1);
    if (!value.empty() && std::string_view(" \t\r").find(value.front()) == value.npos) return false;
    seen_key_ = true;
    std::string_view key = trimmed(line.substr(0, *colon));
    if (key.front() == '"' || key.front() == '\'') key = key.substr(1, key.size() - 2);
    return take_key(key, trimmed(value));
  }

  /// Where the colon after a plain key, or after one in quotes without escapes, stands.
  static std::optional<std::size_t> key_end(std::string_view line) {
    const char first = line.front();
    if (std::string_view("?{[&*!|>%@`-.<,").find(first) != line.npos) return std::nullopt;
    if (static_cast<unsigned char>(first) >= 0x80) return std::nullopt;
    std::size_t begin = 0;
    if (first == '"' || first == '\'') {
      begin = line.find(first, 1);
      if (begin == line.npos || line.substr(0, begin).find('\\') != line.npos) return std::nullopt;
      begin = std::min(line.find_first_not_of(" \t", begin + 1), line.size());
      if (begin == line.size() || line[begin] != ':') return std::nullopt;
    }
    const auto colon = line.find(':', begin);
    return colon == line.npos || colon == 0 ? std::nullopt : std::optional(colon);
  }

  bool take_key(std::string_view key, std::string_view value) {
    if (key == "class") head_.python = true;
    if (key == "task") return take_name(value, head_.task);
    if (key == "group") return take_name(value, head_.group);
    if (key == "tag") return take_list(value, head_.tags);
    if (key == "include") return take_list(value, head_.includes);
    if (!value.starts_with('"') && !value.starts_with('\'')) return closed(value);
    return skip_quoted(value);
  }

  /// A quoted value may run over lines that look like keys.
  bool skip_quoted(std::string_view value) {
    const char quote = value.front();
    std::size_t close = closing_quote(value, quote, 1);
    while (close == std::string_view::npos) {
      const auto line = next_line();
      if (!line) return false;
      value = *line;
      close = closing_quote(value, quote, 0);
    }
    return without_comment(trimmed(value.substr(close + 1))).empty();
  }

  bool take_name(std::string_view value, std::optional<std::optional<std::string>>& to) {
    if (value.starts_with('[') && !closed(value)) return false;
    if (value.starts_with('[') || (without_comment(value).empty() && has_items())) {
      to = std::optional<std::string>{};  // a group's members
      return true;
    }
    auto name = scalar(value);
    if (!name || continues()) return false;
    to = std::move(name);
    return true;
  }

  bool take_list(std::string_view value, std::optional<std::vector<std::string>>& to) {
    if (without_comment(value).empty()) return take_block_list(to);
    if (value.front() == '[') {
      to = flow_list(value);
      return to.has_value();
    }
    auto item = scalar(value);
    if (!item || continues()) return false;
    to = std::vector{std::move(*item)};
    return true;
  }

  /// Items under each other; a line indented in another way goes on with the item above.
  bool take_block_list(std::optional<std::vector<std::string>>& to) {
    std::vector<std::string> items;
    std::optional<std::size_t> indent;
    while (!rest_.empty() && belongs_above(rest_.substr(0, rest_.find('\n')))) {
      const std::string_view line = *next_line();
      const std::string_view text = trimmed(line);
      if (text.empty() || text.front() == '#') continue;
      if (!text.starts_with("- ") || line.find('-') != indent.value_or(line.find('-')))
        return false;
      indent = line.find('-');
      auto item = scalar(trimmed(text.substr(2)));
      if (!item) return false;
      items.push_back(std::move(*item));
    }
    to = std::move(items);
    return !to->empty();
  }

  /// The next line that is neither blank nor a comment, still to be taken.
  [[nodiscard]] std::string_view peek() const {
    for (std::string_view rest = rest_; !rest.empty();) {
      const auto end = std::min(rest.find('\n'), rest.size() - 1);
      const std::string_view line = rest.substr(0, end + 1);
      const std::string_view text = trimmed(line.substr(0, line.find('\n')));
      if (!text.empty() && text.front() != '#') return line;
      rest = rest.substr(end + 1);
    }
    return {};
  }

  /// A scalar may go on in the next lines if they are indented.
  [[nodiscard]] bool continues() const {
    const std::string_view line = peek();
    return !line.empty() && (line.front() == ' ' || line.front() == '\t');
  }

  /// The value of the key above is a list.
  [[nodiscard]] bool has_items() const { return trimmed(peek()).starts_with("- "); }

  std::string_view rest_;
  Head head_;
  bool seen_key_ = false;
};

std::optional<std::string> text_or_none(const Value& value) {
  return value.is_string() ? std::optional(value.as_string()) : std::nullopt;
}

std::vector<std::string> texts(const Value& value) {
  std::vector<std::string> items;
  if (value.is_string()) items.push_back(value.as_string());
  if (value.is_list())
    for (const Value& item : value.items())
      if (item.is_string()) items.push_back(item.as_string());
  return items;
}

/// Keys of `over` replace those of `head`.
void override_head(Head& head, const Head& over) {
  if (over.task) head.task = over.task;
  if (over.group) head.group = over.group;
  if (over.tags) head.tags = over.tags;
  head.python = head.python || over.python;
}

Result<Head> read_head(const std::string& file) {
  TARE_TRY(const std::string text, base::read_file(file));
  if (auto scanned = scan_head(text)) return std::move(*scanned);
  return parse_head(text, file);
}

/// The path of an include. Paths are only taken apart where that is needed: it is slow.
std::string beside(const std::string& file, const std::string& include) {
  if (include.find('/') != std::string::npos || include.starts_with('.'))
    return (std::filesystem::path(file).parent_path() / include).lexically_normal().string();
  return file.substr(0, file.rfind('/') + 1) + include;
}

}  // namespace

std::optional<Head> scan_head(std::string_view text) {
  if (has_other_breaks(text)) return std::nullopt;
  return Scanner(text).scan();
}

Result<Head> parse_head(std::string_view text, std::string_view name) {
  TARE_TRY(const text::yaml::File file, text::yaml::parse(text, name));
  Head head;
  if (const Value* value = file.root.find("task")) head.task = text_or_none(*value);
  if (const Value* value = file.root.find("group")) head.group = text_or_none(*value);
  if (const Value* value = file.root.find("tag")) head.tags = texts(*value);
  if (const Value* value = file.root.find("include")) head.includes = texts(*value);
  head.python = file.root.find("class") != nullptr;
  return head;
}

Result<const Head*> HeadReader::included(const std::string& file) {
  const auto known = included_.find(file);
  if (known != included_.end()) return &known->second;
  TARE_TRY(Head head, read_head(file));
  return &included_.emplace(file, std::move(head)).first->second;
}

base::Status HeadReader::merge_includes(const std::string& file, const Head& own,
                                        std::vector<std::string>& visited, Head& merged) {
  for (const std::string& include : own.includes.value_or(std::vector<std::string>{})) {
    const std::string path = beside(file, include);
    if (std::ranges::find(visited, path) != visited.end())
      return base::input_error(fmt::format("include: {} is reached twice", path));
    visited.push_back(path);
    TARE_TRY(const Head* head, included(path));
    TARE_CHECK(merge_includes(path, *head, visited, merged));
    override_head(merged, *head);
  }
  return {};
}

Result<Head> HeadReader::read(const std::string& file) {
  TARE_TRY(Head own, read_head(file));
  Head merged;
  std::vector<std::string> visited{file};
  TARE_CHECK(merge_includes(file, own, visited, merged));
  override_head(merged, own);
  return merged;
}

}  // namespace tare::task
