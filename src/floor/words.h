#pragma once

#include <string>

/// Numbers as the tables of the noise floor show them.
namespace tare::floor {

inline constexpr const char* kNothing = "—";

/// "4.50e-03"; "0" for none at all.
std::string nats(double value);
/// "4.5e-3", for narrow cells.
std::string short_nats(double value);
/// "12.5 %", and "100 %" for all only.
std::string percent(double share);

}  // namespace tare::floor
