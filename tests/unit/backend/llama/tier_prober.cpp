#include <string_view>

#include "backend/llama/tiers.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--probe-tier") return 2;
  return tare::backend::llama::run_tier_probe(argv[2]);
}
