#pragma once

#include <filesystem>
#include <optional>
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

/// The files among which patterns choose: those of a folder on disk, or those that a repository
/// lists, of which none need be here.
struct FileSet {
  std::filesystem::path base;
  std::optional<std::vector<std::string>> listed;  ///< relative to base; nothing: what is on disk
};

/// Those in a folder of the set.
FileSet below(const FileSet& files, const std::filesystem::path& folder);

/// All files of the set, as paths relative to its base with '/', sorted.
std::vector<std::string> list_files(const FileSet& files);

/// The files that match, behind the set's base, sorted by path. An absolute pattern finds files on
/// disk.
std::vector<std::filesystem::path> find_files(const std::string& pattern, const FileSet& files);

}  // namespace tare::data
