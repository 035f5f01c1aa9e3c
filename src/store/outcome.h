#pragma once

#include <optional>
#include <string_view>

#include "base/value.h"
#include "core/request.h"

namespace tare::store {

/// Writes what came back for one request, and its token counts, into `dict`. Without `token_ids`
/// tokens and their counts are null: they would be those of bytes.
void set_outcome(base::Dict& dict, const core::Response& response, bool token_ids);

/// "end_of_sequence", "stop_string" or "length".
std::string_view finish_name(core::FinishReason reason);
std::optional<core::FinishReason> finish_of(std::string_view name);

}  // namespace tare::store
