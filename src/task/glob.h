#pragma once

#include <string_view>

namespace tare::task {

/// True if `pattern` has one of * ? [.
bool has_glob(std::string_view pattern);

/// Python's fnmatch.fnmatchcase on code points: * ? [seq] [!seq], ranges in seq; a [ that is never
/// closed stands for itself.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace tare::task
