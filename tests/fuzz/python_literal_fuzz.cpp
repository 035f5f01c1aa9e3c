#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/python.h"

namespace python = tare::base::python;

/// A literal that is read prints as a literal of the same value, but for inf and nan, which are
/// names and not literals.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value =
      python::parse_literal(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!value) return 0;
  const std::string printed = python::repr(*value);
  const auto again = python::parse_literal(printed);
  if (again ? python::repr(*again) != printed : printed.find("inf") == printed.npos) std::abort();
  return 0;
}
