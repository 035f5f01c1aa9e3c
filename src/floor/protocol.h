#pragma once

#include <string>
#include <vector>

#include "floor/findings.h"

namespace tare::floor {

struct ProtocolStep {
  std::string text;
  std::string command;  ///< for a shell; "" for none
};

/// What to do before two quantized files are compared, in ten steps with this grid's files. Source
/// 003 gives a short protocol, whose words are not in its abstract: these are ours.
std::vector<ProtocolStep> protocol_of(const Findings& findings);

}  // namespace tare::floor
