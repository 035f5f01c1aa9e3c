#include "cli/floor_pin.h"

#include <algorithm>

#include "backend/llama/llama_backend.h"
#include "cli/pin.h"
#include "floor/server_rows.h"

namespace tare::cli {

floor::Setting reference_of(const core::Pin& pin, std::size_t threads) {
  floor::Setting reference = floor::default_reference(threads);
  reference.tiers = {pin.tier};
  core::Manner& manner = reference.manner;
  manner.micro_batch = pin.micro_batch;
  manner.batch = std::max(manner.batch, pin.micro_batch);
  manner.flash_attention = pin.flash_attention;
  manner.repack = pin.repack;
  manner.kv = pin.float32_cache ? core::KvType::f32 : core::KvType::f16;
  return reference;
}

std::vector<std::string> pinnable_names() {
  std::vector<std::string> names = floor::factor_names();
  names.emplace_back(floor::kServer);
  return names;
}

std::vector<std::string> pinned_by_a_pin() {
  std::vector<std::string> names = pinnable_names();
  std::erase_if(names, [](const std::string& name) {
    return name == floor::kThreads || name == floor::kBatch;
  });
  return names;
}

base::Result<core::Pin> pin_of(const floor::Setting& setting) {
  const core::Manner& manner = setting.manner;
  const core::Pin pin{.release = backend::llama::version(),
                      .tier = manner.tier,
                      .micro_batch = manner.micro_batch,
                      .flash_attention = manner.flash_attention,
                      .repack = manner.repack,
                      .float32_cache = manner.kv == core::KvType::f32,
                      .prefix_reuse = manner.prefix > 0,
                      .slots = manner.sequences};
  auto read = read_pin(pin_text(pin), "--write-pin: the reference");
  if (!read) return base::Failure(base::Error{base::ErrorKind::usage, read.error().text});
  return pin;
}

}  // namespace tare::cli
