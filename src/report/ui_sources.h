#pragma once

#include <string_view>

namespace tare::report {

/// The files of src/report/ui, put together when tare is built.
struct UiSources {
  std::string_view body;    ///< HTML
  std::string_view style;   ///< CSS
  std::string_view script;  ///< JavaScript
};

const UiSources& ui_sources();

}  // namespace tare::report
