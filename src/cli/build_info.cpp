#include "cli/build_info.h"

#include <fmt/format.h>

#include "backend/llama/llama_backend.h"
#include "data/dataset.h"

namespace tare::cli {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string_view version() {
  return TARE_VERSION;
}

std::string version_line() {
  return fmt::format("tare {} (llama.cpp {}, {}, Parquet {})", version(), backend::llama::version(),
                     kCompiler, data::parquet_available() ? "yes" : "no");
}

base::Value build_info() {
  base::Dict info;
  info.set("version", version());
  info.set("llama_cpp", backend::llama::version());
  info.set("compiler", kCompiler);
  info.set("parquet", data::parquet_available());
  return info;
}

}  // namespace tare::cli
