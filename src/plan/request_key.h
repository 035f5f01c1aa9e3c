#pragma once

#include <string>
#include <string_view>

#include "core/request.h"
#include "plan/encode.h"

namespace tare::plan {

/// SHA-256 over all of a request that an answer depends on: the tokens and which of them are
/// scored; of a prompt to continue how that is done and, where answers vary, the seed, which tells
/// repetitions apart. No name is in it: equal requests of two tasks have equal keys. `defaults`:
/// the backend's own, which are a part of the key where the settings leave something to them.
std::string request_key(const EncodedRequest& request, const core::GenerationSettings& generation,
                        std::string_view defaults = "");

}  // namespace tare::plan
