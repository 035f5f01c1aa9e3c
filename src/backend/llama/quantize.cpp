#include "backend/llama/quantize.h"

#include <fmt/format.h>
#include <llama-ext.h>
#include <llama.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "backend/llama/gguf_check.h"
#include "backend/llama/gguf_file.h"
#include "backend/llama/importance.h"
#include "backend/llama/log_capture.h"
#include "backend/llama/quantize_types.h"
#include "base/files.h"
#include "base/hash.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

/// A file beside the target that is removed unless it has become the target.
class PendingFile {
 public:
  PendingFile(const fs::path& target, const fs::path& draft)
      : target_(target), path_(draft.empty() ? base::draft_name(target) : draft) {}
  ~PendingFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] Status commit() const { return base::publish_draft(path_, target_); }

 private:
  fs::path target_, path_;
};

/// What the quantizer writes of an importance matrix into the file, and the matrix in its terms.
class ImportanceParams {
 public:
  ImportanceParams(ImportanceMatrix matrix, const fs::path& path) : matrix_(std::move(matrix)) {
    for (const auto& [name, columns] : matrix_.columns)
      data_.push_back({name.c_str(), columns.data(), columns.size()});
    data_.push_back({nullptr, nullptr, 0});
    add("quantize.imatrix.file", path.string());
    if (!matrix_.dataset.empty()) add("quantize.imatrix.dataset", matrix_.dataset);
    add("quantize.imatrix.entries_count", matrix_.columns.size());
    if (matrix_.chunks > 0)
      add("quantize.imatrix.chunks_count", static_cast<std::size_t>(matrix_.chunks));
    entries_.push_back({});
  }
  ImportanceParams(const ImportanceParams&) = delete;
  ImportanceParams& operator=(const ImportanceParams&) = delete;

  void use_in(llama_model_quantize_params& params) const {
    params.imatrix = data_.data();
    params.kv_overrides = entries_.data();
  }

 private:
  llama_model_kv_override& add(const char* key) {
    llama_model_kv_override& entry = entries_.emplace_back();
    std::string_view(key).copy(entry.key, sizeof entry.key - 1);
    return entry;
  }
  /// Cut where llama.cpp has no more room.
  void add(const char* key, const std::string& text) {
    llama_model_kv_override& entry = add(key);
    entry.tag = LLAMA_KV_OVERRIDE_TYPE_STR;
    text.copy(entry.val_str, sizeof entry.val_str - 1);
  }
  void add(const char* key, std::size_t number) {
    llama_model_kv_override& entry = add(key);
    entry.tag = LLAMA_KV_OVERRIDE_TYPE_INT;
    entry.val_i64 = static_cast<std::int64_t>(number);
  }

  ImportanceMatrix matrix_;
  std::vector<llama_model_imatrix_data> data_;
  std::vector<llama_model_kv_override> entries_;
};

Status check_output(const fs::path& input, const fs::path& output, bool force) {
  std::error_code fault;
  if (fs::equivalent(input, output, fault))
    return base::usage_error(
        fmt::format("{}: is the input too; name another output file", output.string()));
  if (fs::is_directory(output, fault))
    return base::input_error(fmt::format("{}: is a folder; name a file in it", output.string()));
  const bool there = fs::exists(output, fault);
  if (there && !fs::is_regular_file(output, fault))
    return base::input_error(
        fmt::format("{}: is a device or a pipe; name a file", output.string()));
  if (!force && there)
    return base::input_error(
        fmt::format("{}: exists; remove it, or force it to be replaced", output.string()));
  const fs::path folder = output.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, fault))
    return base::input_error(
        fmt::format("{}: there is no folder {}", output.string(), folder.string()));
  return {};
}

/// llama.cpp ends the whole program where such a type meets the token embeddings without a matrix.
Status check_pure(const FileType& type) {
  if (!ggml_quantize_requires_imatrix(llama_ftype_get_default_type(type.type))) return {};
  return base::usage_error(
      fmt::format("type {}: --pure would need an importance matrix for the token embeddings, which "
                  "no file has; leave out --pure, or choose a type of more bits",
                  type.name));
}

/// What stopped the quantizer, told for a person.
base::Failure failure(const FileType& type, const fs::path& output, const fs::path& draft,
                      const QuantizeOptions& options, const std::string& said) {
  if (said.find("requires an imatrix") != std::string::npos)
    return base::usage_error(fmt::format(
        "type {}: this model needs an importance matrix for it; give --imatrix FILE, as "
        "llama-imatrix writes it, or choose a type of more bits",
        type.name));
  const bool of_matrix = said.find("imatrix") != std::string::npos ||
                         said.find("importance matrix") != std::string::npos;
  if (!options.importance.empty() && of_matrix)
    return base::input_error(
        fmt::format("importance matrix {}: does not fit the model: {}; make one of this model",
                    options.importance.string(), said));
  const std::string fault = base::append_fault(draft);
  return base::work_failed(fmt::format("{}: cannot be written as {}: {}", output.string(),
                                       type.name, fault.empty() ? said : fault));
}

llama_model_quantize_params params_of(const FileType& type, const QuantizeOptions& options) {
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.nthread = static_cast<std::int32_t>(
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency()));
  params.ftype = type.type;
  params.allow_requantize = true;
  params.only_copy = type.name == kCopy;
  params.quantize_output_tensor = !options.leave_output;
  params.pure = options.pure;
  return params;
}

/// How many tensors there are of each format, and the share of bits.
Status count_tensors(const fs::path& path, Quantized& found) {
  TARE_TRY(const Gguf gguf, read_gguf(path));
  double bytes = 0, weights = 0;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf.get()); ++i) {
    ++found.tensors[ggml_type_name(gguf_get_tensor_type(gguf.get(), i))];
    bytes += static_cast<double>(gguf_get_tensor_size(gguf.get(), i));
    const std::int64_t* sides = gguf_get_tensor_ne(gguf.get(), i);
    weights += static_cast<double>(sides[0] * sides[1] * sides[2] * sides[3]);
  }
  found.bits_per_weight = 8 * bytes / weights;
  return {};
}

Result<std::vector<std::string>> coarse_formats(const fs::path& path) {
  TARE_TRY(const Gguf gguf, read_gguf(path));
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf.get()); ++i) {
    const ggml_type type = gguf_get_tensor_type(gguf.get(), i);
    const std::string name = ggml_type_name(type);
    if (ggml_is_quantized(type) && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

Result<Quantized> describe(const FileType& type, const fs::path& path) {
  Quantized found;
  found.type = type.name;
  TARE_CHECK(count_tensors(path, found));
  TARE_TRY(found.sha256, base::sha256_file(path));
  std::error_code fault;
  found.bytes = fs::file_size(path, fault);
  return found;
}

}  // namespace

std::vector<std::string> quantize_types() {
  std::vector<std::string> names;
  for (const FileType& type : file_types()) names.emplace_back(type.name);
  return names;
}

Result<Quantized> quantize(const fs::path& input, const fs::path& output,
                           const QuantizeOptions& options) {
  TARE_TRY(const FileType type, find_file_type(options.type));
  if (options.pure) TARE_CHECK(check_pure(type));
  TARE_CHECK(check_gguf(input));
  TARE_CHECK(check_output(input, output, options.force));
  llama_model_quantize_params params = params_of(type, options);
  std::optional<ImportanceParams> importance;
  if (!options.importance.empty()) {
    TARE_TRY(ImportanceMatrix matrix, read_importance(options.importance));
    importance.emplace(std::move(matrix), options.importance);
    importance->use_in(params);
  }
  TARE_TRY(std::vector<std::string> coarse, coarse_formats(input));
  const PendingFile pending(output, options.draft);
  const std::string from = input.string(), to = pending.path().string();
  const LogCapture log;
  const bool written = llama_model_quantize(from.c_str(), to.c_str(), &params) == 0;
  // A full disk does not always end llama.cpp's quantizer: what it wrote is checked.
  if (!written || !check_gguf(pending.path()))
    return failure(type, output, pending.path(), options,
                   written ? "what was written is cut off" : log.first_error());
  TARE_TRY(Quantized found, describe(type, pending.path()));
  found.coarse = std::move(coarse);
  TARE_CHECK(pending.commit());
  return found;
}

}  // namespace tare::backend::llama
