#pragma once

#include <iostream>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace tare::test {

/// The answer that holds what was made, or why it could not be.
inline base::Value outcome(const base::Result<base::Value>& made) {
  base::Dict answer;
  if (made)
    answer.set("output", *made);
  else
    answer.set("error", made.error().text);
  return answer;
}

/// Answers each line of stdin with one line of JSON on stdout, at once: the other side of a
/// comparison waits for it.
template <class Answer>
void answer_lines(const Answer& answer) {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << base::json::dump(answer(line)) << '\n' << std::flush;
}

}  // namespace tare::test
