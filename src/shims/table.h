#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "core/functions.h"

namespace tare::shims {

/// Which helper functions are known to come out as in Python.
struct Table {
  struct File {
    /// What it needs beside itself, module name or path from its folder, to the SHA-256 of that
    /// file.
    std::map<std::string, std::string> imports;
    std::set<std::pair<core::FunctionUse, std::string>> functions;
  };
  std::map<std::string, File, std::less<>> files;  ///< by SHA-256
};

/// Reads the text form: a line "SHA256 [needed=SHA256 ...]" a file, then lines that begin with a
/// space: "use function function ...". Lines that begin with # are left out.
base::Result<Table> parse_table(std::string_view text);

/// The table that is built in, as text.
std::string_view builtin_table();

/// "documents", "field", "results", ...: the names in the table.
std::string_view use_name(core::FunctionUse use);

}  // namespace tare::shims
