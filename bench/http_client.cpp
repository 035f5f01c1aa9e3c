// http_client URL REQUESTS CONCURRENCY: generates that many times through the openai: backend's own
// client and dialect, and prints one line of JSON a tenth: requests, seconds, resident bytes.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "backend/http/openai.h"

namespace {

using namespace tare::backend;
using Clock = std::chrono::steady_clock;

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

int fail(const tare::base::Error& error) {
  fmt::print(stderr, "{}\n", error.text);
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::size_t requests = std::strtoul(words[2], nullptr, 10);
  http::OpenAiOptions options;
  options.servers.endpoints = {words[1]};
  options.servers.limits.concurrency = std::strtoul(words[3], nullptr, 10);
  auto opened = http::open_openai(std::move(options));
  if (!opened) return fail(opened.error());
  tare::core::GenerationSettings settings;
  settings.max_tokens = 1;
  const auto prompt = opened->backend->tokenizer().encode("The sky over the sea is", true);
  const std::vector<GenerateItem> items(requests, GenerateItem{0, prompt, &settings, 0});
  std::size_t done = 0, good = 0;
  const Clock::time_point start = Clock::now();
  const auto sink = [&](std::span<const GenerateResult> results) {
    for (const GenerateResult& result : results) good += result.value ? 1 : 0;
    done += results.size();
    if (done % (requests / 10) != 0) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print("{{\"requests\": {}, \"good\": {}, \"seconds\": {:.4f}, \"resident\": {}}}\n", done,
               good, seconds, resident_bytes());
  };
  const auto status = opened->backend->generate(items, sink, {});
  return status ? 0 : fail(status.error());
}
