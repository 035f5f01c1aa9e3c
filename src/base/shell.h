#pragma once

#include <span>
#include <string>

namespace tare::base {

/// The words as a shell takes them: quoted where need be.
std::string shell_line(std::span<const std::string> words);

}  // namespace tare::base
