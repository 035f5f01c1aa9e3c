#pragma once

#include <span>

#include "backend/backend.h"

namespace tare::backend {

struct CapabilityName {
  const char* name;  ///< that of the member
  bool Capabilities::*member;
};

/// Those that a backend has or has not.
std::span<const CapabilityName> capability_names();

}  // namespace tare::backend
