#include "run/answer.h"

#include "base/unicode.h"

namespace tare::run {

std::string answer_text(std::string_view generated, std::span<const std::string> until,
                        std::string_view think_end) {
  if (!think_end.empty()) {
    const std::size_t thought = generated.rfind(think_end);
    if (thought != std::string_view::npos) generated.remove_prefix(thought + think_end.size());
    generated = base::unicode::lstrip(generated);
  }
  for (const std::string& stop : until)
    if (!stop.empty()) generated = generated.substr(0, generated.find(stop));
  return std::string(generated);
}

}  // namespace tare::run
