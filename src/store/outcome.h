#pragma once

#include "base/value.h"
#include "core/request.h"

namespace tare::store {

/// Writes what came back for one request, and its token counts, into `dict`.
void set_outcome(base::Dict& dict, const core::Response& response);

}  // namespace tare::store
