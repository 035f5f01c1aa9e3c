#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/python/protocol.h"

namespace python = tare::backend::python;

/// A line from a model worker is read as each kind of answer or refused; what is read has as many
/// results as were asked for, and no score that is none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto reply = python::read_reply(line, 1);
  if (!reply || !*reply) return 0;
  (void)python::read_hello(**reply);
  (void)python::read_tokens(**reply);
  const auto lists = python::read_token_lists(**reply, 2);
  if (lists && lists->size() != 2) std::abort();
  (void)python::read_text(**reply);
  const auto generated = python::read_generated(**reply, 2);
  if (generated && generated->size() != 2) std::abort();
  const auto scores = python::read_scores(**reply, 2);
  if (!scores) return 0;
  if (scores->size() != 2) std::abort();
  for (const python::Scored& score : *scores)
    if (score && !(score->sum <= 1)) std::abort();
  return 0;
}
