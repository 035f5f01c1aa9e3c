#include "data/glob.h"

#include <algorithm>
#include <limits>

#include "base/unicode.h"

namespace tare::data {
namespace fs = std::filesystem;
namespace {

using Parts = std::vector<std::string_view>;

constexpr std::string_view kAnyDepth = "**";

Parts split(std::string_view path) {
  Parts parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0 && path.substr(0, end) != ".") parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

/// The position after the bracket that closes the set at `pos`, or 0 where none does. A ']' right
/// after the opening (or after '!') is a member.
std::size_t set_end(std::u32string_view pattern, std::size_t pos) {
  std::size_t i = pos + 1;
  if (i < pattern.size() && pattern[i] == U'!') ++i;
  const std::size_t close = pattern.find(U']', i + 1);
  return close == std::u32string_view::npos ? 0 : close + 1;
}

/// Whether `c` is in a set like [a-z_] or [!0-9], brackets included.
bool in_set(std::u32string_view set, char32_t c) {
  set = set.substr(1, set.size() - 2);
  const bool negated = set[0] == U'!';
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == U'-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == c;
    }
  }
  return found != negated;
}

bool matches(std::u32string_view pattern, std::u32string_view name) {
  // The classic scan: on a mismatch, let the last star take one more character.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::u32string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    const bool more = p < pattern.size();
    if (more && pattern[p] == U'*') {
      star = p++;
      star_name = n;
      continue;
    }
    const std::size_t end = more && pattern[p] == U'[' ? set_end(pattern, p) : 0;
    const bool fits = more && (end > 0 ? in_set(pattern.substr(p, end - p), name[n])
                                       : pattern[p] == U'?' || pattern[p] == name[n]);
    if (fits) {
      p = end > 0 ? end : p + 1;
      ++n;
    } else if (star != std::u32string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == U'*') ++p;
  return p == pattern.size();
}

/// Component by component: reached[i] says that the path so far matches i components of the
/// pattern. Patterns come with foreign files, so no backtracking.
bool parts_match(const Parts& pattern, const Parts& path) {
  std::vector<bool> reached(pattern.size() + 1, false);
  reached[0] = true;
  // ** may stand for nothing, but not at the end: "x/**" is what is in x.
  const auto skip_any_depth = [&] {
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i)
      if (reached[i] && pattern[i] == kAnyDepth) reached[i + 1] = true;
  };
  skip_any_depth();
  for (const std::string_view name : path) {
    std::vector<bool> next(pattern.size() + 1, false);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (!reached[i] || !component_matches(pattern[i], name)) continue;
      next[i + 1] = true;
      if (pattern[i] == kAnyDepth) next[i] = true;
    }
    reached = std::move(next);
    skip_any_depth();
  }
  return reached[pattern.size()];
}

/// Hidden components and special folders (two underscores) of a path or pattern.
struct Unusual {
  std::size_t hidden = 0;
  std::size_t special = 0;
  friend bool operator==(const Unusual&, const Unusual&) = default;
};

Unusual unusual(const Parts& parts) {
  Unusual found;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    const bool dots_only = part.find_first_not_of('.') == std::string_view::npos;
    if (part[0] == '.' && !dots_only) ++found.hidden;
    if (i + 1 < parts.size() && part.substr(0, 2) == "__") ++found.special;
  }
  return found;
}

std::string join(const Parts& parts, std::size_t begin, std::size_t end) {
  std::string path;
  for (std::size_t i = begin; i < end; ++i)
    path += (path.empty() ? "" : "/") + std::string(parts[i]);
  return path;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool matches(const Parts& pattern, const Parts& path) {
  return parts_match(pattern, path) && unusual(pattern) == unusual(path);
}

/// Calls `use` with each file under `folder`, no deeper than `depth` folders.
template <class Use>
void walk(const fs::path& folder, std::size_t depth, const Use& use) {
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end;
       at.increment(error)) {
    if (static_cast<std::size_t>(at.depth()) >= depth) at.disable_recursion_pending();
    if (is_file(at->path())) use(at->path());
  }
}

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

}  // namespace

bool has_wildcards(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool component_matches(std::string_view pattern, std::string_view name) {
  return matches(base::unicode::to_utf32(pattern), base::unicode::to_utf32(name));
}

bool path_matches(std::string_view pattern, std::string_view path) {
  return matches(split(pattern), split(path));
}

FileSet below(const FileSet& files, const fs::path& folder) {
  FileSet found{folder.empty() ? files.base : files.base / folder, files.listed};
  if (!files.listed || folder.empty()) return found;
  const Parts wanted = split(folder.native());
  found.listed->clear();
  for (const std::string& file : *files.listed) {
    const Parts parts = split(file);
    if (parts.size() > wanted.size() && std::equal(wanted.begin(), wanted.end(), parts.begin()))
      found.listed->push_back(join(parts, wanted.size(), parts.size()));
  }
  return found;
}

std::vector<std::string> list_files(const FileSet& files) {
  if (files.listed) return *files.listed;
  std::vector<std::string> found;
  walk(files.base, kNoLimit, [&](const fs::path& file) {
    found.push_back(file.lexically_relative(files.base).generic_string());
  });
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

std::vector<fs::path> find_listed(const std::string& pattern, const FileSet& files) {
  std::vector<fs::path> found;
  for (const std::string& file : *files.listed)
    if (path_matches(pattern, file)) found.push_back(files.base / file);
  return found;
}

std::vector<fs::path> find_on_disk(const std::string& pattern, const fs::path& base) {
  const fs::path root = fs::path(pattern).is_absolute() ? fs::path("/") : base;
  const Parts parts = split(pattern);
  const auto wild = std::find_if(parts.begin(), parts.end(), has_wildcards);
  const auto fixed = static_cast<std::size_t>(wild - parts.begin());
  const fs::path folder = fixed == 0 ? root : root / join(parts, 0, fixed);
  if (fixed == parts.size()) return is_file(folder) ? std::vector{folder} : std::vector<fs::path>{};
  const Parts pattern_below(wild, parts.end());
  const bool any_depth = std::find(wild, parts.end(), kAnyDepth) != parts.end();
  std::vector<fs::path> found;
  walk(folder, any_depth ? kNoLimit : pattern_below.size() - 1, [&](const fs::path& file) {
    if (matches(pattern_below, split(file.lexically_relative(folder).generic_string())))
      found.push_back(file);
  });
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return a.generic_string() < b.generic_string();
  });
  return found;
}

}  // namespace

std::vector<fs::path> find_files(const std::string& pattern, const FileSet& files) {
  const bool on_disk = !files.listed || fs::path(pattern).is_absolute();
  return on_disk ? find_on_disk(pattern, files.base) : find_listed(pattern, files);
}

}  // namespace tare::data
