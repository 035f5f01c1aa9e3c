#include <fmt/format.h>

#include "shims/library.h"
#include "text/jinja/operators.h"
#include "text/regex.h"

/// The module re.
namespace tare::shims {
namespace {

using text::Regex;
using text::RegexMatch;
using text::jinja::fail;
using text::jinja::type_error;
using text::jinja::unsupported;

constexpr std::int64_t kIgnoreCase = 2, kMultiLine = 8, kDotAll = 16, kUnicode = 32, kVerbose = 64,
                       kAscii = 256;

template <class T>
T checked(base::Result<T> result) {
  if (!result) unsupported(result.error().text);
  return std::move(*result);
}

Value group_value(Interpreter& python, const std::optional<std::string>& text) {
  return text ? python.heap().text(*text) : Value::none();
}

struct Match final : PyObject {
  explicit Match(RegexMatch m) : match(std::move(m)) {}
  [[nodiscard]] std::string_view python_type() const override { return "Match"; }
  Value group(Interpreter& python, const Value& index) const {
    if (!index.is_integral()) unsupported("groups by name are not built in");
    const std::int64_t i = index.as_int();
    if (i < 0 || i >= static_cast<std::int64_t>(match.groups.size()))
      fail(FailureKind::index, "no such group");
    return group_value(python, match.groups[static_cast<std::size_t>(i)]);
  }
  Value item(Interpreter& python, const Value& index) override { return group(python, index); }
  Value attribute(Interpreter& python, std::string_view name) override;
  RegexMatch match;
};

Value Match::attribute(Interpreter& python, std::string_view name) {
  if (name == "group")
    return python.native("group", [this](Interpreter& p, Arguments& a) -> Value {
      if (a.positional.empty()) return group(p, std::int64_t{0});
      if (a.positional.size() == 1) return group(p, a.positional[0]);
      std::vector<Value> groups;
      for (const Value& index : a.positional) groups.push_back(group(p, index));
      return p.heap().tuple(std::move(groups));
    });
  if (name == "groups")
    return python.native("groups", [this](Interpreter& p, Arguments&) -> Value {
      std::vector<Value> groups;
      for (std::size_t i = 1; i < match.groups.size(); ++i)
        groups.push_back(group_value(p, match.groups[i]));
      return p.heap().tuple(std::move(groups));
    });
  return {};
}

struct Pattern final : PyObject {
  explicit Pattern(Regex r) : regex(std::move(r)) {}
  [[nodiscard]] std::string_view python_type() const override { return "Pattern"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  Regex regex;
};

Regex compile(Interpreter& python, const std::string& pattern, std::int64_t flags) {
  if ((flags & ~(kIgnoreCase | kMultiLine | kDotAll | kUnicode | kVerbose | kAscii)) != 0)
    unsupported("these flags of re are not built in");
  auto& known = python.caches().patterns;
  const std::string key = fmt::format("{}:{}", flags, pattern);
  if (const auto it = known.find(key); it != known.end()) return it->second;
  const auto has = [&](std::int64_t flag) { return (flags & flag) != 0; };
  const text::RegexFlags given{has(kIgnoreCase), has(kMultiLine), has(kDotAll), has(kVerbose),
                               has(kAscii)};
  return known.emplace(key, checked(Regex::compile(pattern, given))).first->second;
}

Value match_value(Interpreter& python, std::optional<RegexMatch> match) {
  return match ? Value(python.heap().make<Match>(std::move(*match))) : Value::none();
}

Value find_all(Interpreter& python, const Regex& regex, const std::string& text) {
  std::vector<Value> found;
  for (const RegexMatch& match : checked(regex.find_all(text))) {
    // findall gives "" for a group that took no part
    auto group = [&](std::size_t i) { return python.heap().text(match.groups[i].value_or("")); };
    if (match.groups.size() <= 2) {
      found.push_back(group(match.groups.size() - 1));
      continue;
    }
    std::vector<Value> groups;
    for (std::size_t i = 1; i < match.groups.size(); ++i) groups.push_back(group(i));
    found.push_back(python.heap().tuple(std::move(groups)));
  }
  return python.heap().list(std::move(found));
}

Value find_iter(Interpreter& python, const Regex& regex, const std::string& text) {
  std::vector<Value> found;
  for (RegexMatch& match : checked(regex.find_all(text)))
    found.push_back(python.heap().make<Match>(std::move(match)));
  return &python.iterate(python.heap().list(std::move(found)));
}

std::size_t count_argument(const Arguments& a, std::size_t position, std::string_view name) {
  const Value count = argument(a, position, name);
  return count.is_missing() ? 0 : static_cast<std::size_t>(count.as_int());
}

Value substitute(Interpreter& python, const Regex& regex, const Value& with,
                 const std::string& text, std::size_t most) {
  if (with.is_string()) return python.heap().text(checked(regex.sub(text, with.str(), most)));
  std::string out;
  std::size_t at = 0, done = 0;
  for (RegexMatch& match : checked(regex.find_all(text))) {
    if (most != 0 && done++ == most) break;
    out += text.substr(at, match.begin - at);
    at = match.end;
    const Value made = python.call(with, {python.heap().make<Match>(match)});
    if (!made.is_string()) type_error("re.sub(): the function must give a string");
    out += made.str();
  }
  return python.heap().text(out + text.substr(at));
}

Value split(Interpreter& python, const Regex& regex, const std::string& text, std::size_t most) {
  std::vector<Value> pieces;
  for (const auto& piece : checked(regex.split(text, most)))
    pieces.push_back(group_value(python, piece));
  return python.heap().list(std::move(pieces));
}

/// The operations of a pattern; `first` is where their own arguments begin.
using Operation = Value (*)(Interpreter&, const Regex&, const Arguments&, std::size_t first);
struct OperationRow {
  std::string_view name;
  Operation run;
  std::size_t arguments;  ///< before the flags, in the form re.name(pattern, ...)
};

constexpr std::array<OperationRow, 7> kOperations = {{
    {"search",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return match_value(p, checked(r.search(text_argument(a, first, "string"))));
     },
     1},
    {"match",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return match_value(p, checked(r.match(text_argument(a, first, "string"))));
     },
     1},
    {"fullmatch",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return match_value(p, checked(r.full_match(text_argument(a, first, "string"))));
     },
     1},
    {"findall",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return find_all(p, r, text_argument(a, first, "string"));
     },
     1},
    {"finditer",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return find_iter(p, r, text_argument(a, first, "string"));
     },
     1},
    {"sub",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return substitute(p, r, argument(a, first, "repl"), text_argument(a, first + 1, "string"),
                         count_argument(a, first + 2, "count"));
     },
     3},
    {"split",
     [](Interpreter& p, const Regex& r, const Arguments& a, std::size_t first) {
       return split(p, r, text_argument(a, first, "string"),
                    count_argument(a, first + 1, "maxsplit"));
     },
     2},
}};

Value Pattern::attribute(Interpreter& python, std::string_view name) {
  for (const OperationRow& row : kOperations)
    if (row.name == name)
      return python.native(std::string(name), [this, &row](Interpreter& p, Arguments& a) {
        return row.run(p, regex, a, 0);
      });
  return {};
}

/// re.name(pattern, ..., flags).
Value run_operation(Interpreter& python, const OperationRow& row, const Arguments& a) {
  const Value pattern = argument(a, 0, "pattern");
  if (const auto* compiled = as_kind<Pattern>(pattern))
    return row.run(python, compiled->regex, a, 1);
  const Value flags = argument(a, 1 + row.arguments, "flags");
  const Regex regex =
      compile(python, text_argument(a, 0, "pattern"), flags.is_missing() ? 0 : flags.as_int());
  return row.run(python, regex, a, 1);
}

/// Groups whose branches number their captures alike, (?|...), are plain ones where there is no
/// capture in them.
std::string without_branch_reset(std::string pattern) {
  for (std::size_t at; (at = pattern.find("(?|")) != std::string::npos;) {
    const std::size_t next = pattern.find_first_of("()\\[", at + 3);
    if (next == std::string::npos || pattern[next] != ')')
      unsupported("regex: (?|...) with groups in it is not built in");
    pattern[at + 2] = ':';
  }
  return pattern;
}

}  // namespace

Module* make_regex(Interpreter& python) {
  Module* module = make_re(python);
  define(python, *module, "compile", [](Interpreter& p, Arguments& a) -> Value {
    if (a.positional.size() != 1 || !a.named.empty())
      unsupported("regex.compile() with flags is not built in");
    const std::string pattern = without_branch_reset(text_argument(a, 0));
    return p.heap().make<Pattern>(compile(p, pattern, 0));
  });
  return module;
}

Module* make_re(Interpreter& python) {
  auto* module = python.heap().make<Module>("re");
  for (const OperationRow& row : kOperations)
    define(python, *module, row.name,
           [&row](Interpreter& p, Arguments& a) { return run_operation(p, row, a); });
  define(python, *module, "compile", [](Interpreter& p, Arguments& a) -> Value {
    const Value flags = argument(a, 1, "flags");
    return p.heap().make<Pattern>(
        compile(p, text_argument(a, 0, "pattern"), flags.is_missing() ? 0 : flags.as_int()));
  });
  define(python, *module, "escape", [](Interpreter& p, Arguments& a) -> Value {
    return p.heap().text(text::regex_escape(text_argument(a, 0)));
  });
  const std::pair<std::string_view, std::int64_t> flags[] = {
      {"IGNORECASE", kIgnoreCase}, {"I", kIgnoreCase}, {"MULTILINE", kMultiLine}, {"M", kMultiLine},
      {"DOTALL", kDotAll},         {"S", kDotAll},     {"UNICODE", kUnicode},     {"U", kUnicode},
      {"VERBOSE", kVerbose},       {"X", kVerbose},    {"ASCII", kAscii},         {"A", kAscii}};
  for (const auto& [name, value] : flags) module->members[std::string(name)] = value;
  return module;
}

}  // namespace tare::shims
