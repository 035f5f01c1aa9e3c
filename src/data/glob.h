#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tare::data {

/// Whether a pattern has wildcards: * ? [.
bool has_wildcards(std::string_view pattern);

/// Whether one path component matches: * any characters, ? one, [a-z] and [!a-z] a set.
bool component_matches(std::string_view pattern, std::string_view name);

/// Whether a relative path matches, component by component; ** stands for any number of them, none
/// included. As in `datasets`, files and folders that begin with a dot, and folders that begin with
/// two underscores, count only where the pattern spells as many of them.
bool path_matches(std::string_view pattern, std::string_view path);

/// All files under `base`, as paths relative to it with '/', sorted.
std::vector<std::string> list_files(const std::filesystem::path& base);

/// The files under `base` (or of an absolute pattern) that match, sorted by path.
std::vector<std::filesystem::path> find_files(const std::string& pattern,
                                              const std::filesystem::path& base);

}  // namespace tare::data
