#include <filesystem>

#include "shims/library.h"

/// The module pathlib, as far as helpers use it to read a file beside them.
namespace tare::shims {
namespace {

namespace fs = std::filesystem;

struct Path final : PyObject {
  explicit Path(fs::path p) : path(std::move(p)) {}
  [[nodiscard]] std::string_view python_type() const override { return "PosixPath"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  fs::path path;
};

/// Links are not followed: the helper's folder is the one it was found in.
Value resolved(Interpreter& python, const fs::path& path) {
  return python.heap().make<Path>(fs::absolute(path).lexically_normal());
}

Value Path::attribute(Interpreter& python, std::string_view name) {
  if (name == "parent") return python.heap().make<Path>(path.parent_path());
  if (name == "name") return python.heap().text(path.filename().string());
  if (name == "resolve")
    return python.native("resolve",
                         [this](Interpreter& p, Arguments&) { return resolved(p, path); });
  if (name == "open")
    return python.native("open", [this](Interpreter& p, Arguments&) -> Value {
      return p.heap().make<File>(p.read(path.string()));
    });
  if (name == "read_text")
    return python.native("read_text", [this](Interpreter& p, Arguments&) {
      return p.heap().text(p.read(path.string()));
    });
  return {};
}

}  // namespace

Value File::attribute(Interpreter& python, std::string_view name) {
  if (name != "read") return {};
  return python.native("read", [this](Interpreter& p, Arguments& a) {
    expect_arguments(a, 0, 0, "read");
    return p.heap().text(content);
  });
}

Value path_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b) {
  const auto* path = as_kind<Path>(a);
  if (path == nullptr || op != BinaryOp::divide || !b.is_string()) return {};
  return python.heap().make<Path>(path->path / b.str());
}

Module* make_pathlib(Interpreter& python) {
  auto* module = python.heap().make<Module>("pathlib");
  define(python, *module, "Path", [](Interpreter& p, Arguments& a) -> Value {
    expect_arguments(a, 1, 1, "Path");
    return p.heap().make<Path>(text_argument(a, 0));
  });
  return module;
}

}  // namespace tare::shims
