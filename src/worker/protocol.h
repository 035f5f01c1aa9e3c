#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/document.h"
#include "core/functions.h"

/// The lines that tare and its Python worker exchange (docs/design/python-functions.md,
/// "Protocol").
namespace tare::worker {

/// A line that asks for one call, without its newline.
std::string call_line(std::int64_t id, const core::FunctionRef& function, core::FunctionUse use,
                      std::span<const base::Value> arguments);

/// A line that asks whether a module can be imported.
std::string importable_line(std::int64_t id, const core::FunctionRef& function);

/// What the worker answered.
struct Reply {
  base::Value value;
  std::string error;                    ///< what went wrong in the function; "" if nothing did
  std::vector<core::SourceFile> files;  ///< Python files that it has loaded since its last answer
};

/// Reads one line. Fails if it is no answer to request `id`.
base::Result<Reply> read_reply(std::string_view line, std::int64_t id);

}  // namespace tare::worker
