#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// YAML as PyYAML's safe loader reads it (YAML 1.1 scalars), plus the tag !function. It departs
/// from PyYAML in this: a date without a time stays a string, a timestamp with a zone becomes UTC
/// without one, a lone "=" or "<<" is a string, an anchor may be set again, integers have 64 bits;
/// refused are the tags !!binary, !!omap, !!pairs and !!set, a node that holds itself, and more
/// than 300 levels.
namespace tare::text::yaml {

/// Both from 1; columns in code points.
struct Mark {
  int line = 0;
  int column = 0;
};

/// A key that its mapping has already.
struct Repeated {
  std::string key;
  Mark mark, before;
};

/// A parsed file: the top-level mapping, and where each top-level key stands.
struct File {
  base::Value root;  ///< a dict
  std::map<std::string, Mark, std::less<>> marks;
  std::vector<Repeated> repeated;  ///< of all mappings, in the order of the file
};

/// "NAME:5:1: the key 'limit' stands in line 2 already".
std::string text_of(const Repeated& repeated, std::string_view name);

/// A !function scalar is read as a dict with this one key and the dotted name as its value, so that
/// it can never be taken for a string.
inline constexpr std::string_view kFunctionKey = "!function";

/// True if `value` is what a !function scalar became.
bool is_function(const base::Value& value);
/// The dotted name of a !function value.
const std::string& function_name(const base::Value& value);

/// Parses one document that must be a mapping. `name` (a path) begins each error: "NAME:LINE:COL:
/// …". Duplicate keys: the last one wins, and File::repeated tells of it. Anchors and aliases are
/// expanded within a limit; merge keys work.
base::Result<File> parse(std::string_view text, std::string_view name);

/// The same, for tare's own files. Error too: a key that stands twice in a mapping.
base::Result<File> parse_strictly(std::string_view text, std::string_view name);

/// Any document (a list, a scalar): for README front matter and --config files.
base::Result<base::Value> parse_any(std::string_view text, std::string_view name);

}  // namespace tare::text::yaml
