#pragma once

#include <string_view>

#include "base/result.h"

namespace tare::data {

std::string_view without_byte_order_mark(std::string_view text);

/// The error gives line and column of the first byte that is no UTF-8.
base::Status check_utf8(std::string_view text);

}  // namespace tare::data
