#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace tare::report {

/// An HTML file that shows data which it carries itself and needs nothing from outside: its policy
/// forbids all requests. docs/formats/report.md has the format of the data.
struct DataPage {
  std::string title;
  base::Value summary;             ///< read as soon as the page opens
  std::vector<std::string> parts;  ///< packed; read when they are looked at
};

/// A part: JSON, compressed by gzip, in base64. Numbers that JSON lacks become texts, "NaN".
std::string packed(const base::Value& part);

void write(const DataPage& page, std::ostream& out);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace tare::report
