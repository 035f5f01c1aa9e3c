#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/http/options.h"
#include "base/result.h"

/// Model arguments that say how servers are asked and change no answer; lm-eval's names where it
/// has one.
namespace tare::cli {

bool is_transport_name(std::string_view name);
std::vector<std::string> transport_names();

/// Error: a value that is none. `name` is one of transport_names().
base::Status set_transport(backend::http::Servers& servers, std::string_view name,
                           std::string_view value);

/// A whole number or a number of seconds above 0.
base::Status read_positive(std::string_view name, std::string_view text, std::size_t& number);

}  // namespace tare::cli
