#pragma once

#include "text/jinja/failure.h"

namespace tare::text::jinja {

/// Runs `action`; a failure without a line gets this one.
template <class Action>
auto at_line(int line, Action action) {
  try {
    return action();
  } catch (Failure& failure) {
    if (failure.line() == 0) failure.set_line(line);
    throw;
  }
}

}  // namespace tare::text::jinja
