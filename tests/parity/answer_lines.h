#pragma once

#include <iostream>
#include <string>

#include "base/json.h"

namespace tare::test {

/// Answers each line of stdin with one line of JSON on stdout, at once: the other side of a
/// comparison waits for it.
template <class Answer>
void answer_lines(const Answer& answer) {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << base::json::dump(answer(line)) << '\n' << std::flush;
}

}  // namespace tare::test
