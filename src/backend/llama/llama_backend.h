#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/gguf_check.h"
#include "backend/llama/tiers.h"
#include "core/score.h"

/// llama.cpp inside this process. Only this folder includes its headers.
namespace tare::backend::llama {

enum class Mode {
  pinned,  ///< every decode has a shape of one class, so that a result depends on its item alone
  fast,    ///< flash attention; results may depend on what is scored together
};

/// The shapes that decodes have in pinned mode. Matrix kernels add in another order for few rows
/// and for those left over after full tiles, so that results are equal only among shapes of one
/// class. The default class held wherever it was measured; one is narrower if it allows fewer
/// shapes.
struct ShapeClass {
  /// Rows of a decode, and those whose logits are computed, come in multiples of this: a multiple
  /// of 8 up to 64.
  std::size_t tile = 8;
  /// The rows of each sequence in a decode come in multiples of this, a divisor of `tile`.
  std::size_t grain = 2;
  /// One item at a time, from its first token on: the narrowest class.
  bool alone = false;

  friend bool operator==(const ShapeClass&, const ShapeClass&) = default;
};

/// Number format of the KV cache. With float32, log-likelihoods agree with those of float32
/// transformers to some 1e-5 nats a token; float16, llama.cpp's default, rounds keys and values and
/// moves them by some 1e-3, but takes half the memory and 7 % less time.
enum class KvFormat { f32, f16 };

/// Sequences side by side.
inline constexpr std::size_t kMostStreams = 64;

struct Options {
  std::filesystem::path path;      ///< the GGUF file
  std::string sha256;              ///< of the file, where it has been read already; else ""
  unsigned threads = 0;            ///< 0: as many as the machine has
  std::string cpu_tier = "auto";   ///< or a name of list_tiers()
  std::size_t context_length = 0;  ///< tokens a request may have; 0: what the model knows
  /// Most sequences side by side (1 to kMostStreams). Generation takes 9 at least: 8 answers and a
  /// prompt; from 17 on 16 answers grow side by side.
  std::size_t streams = 24;
  /// Most memory for the KV cache; 0: a quarter of what is free beside the weights. One stream is
  /// always made, for generation 9.
  std::size_t kv_bytes = 0;
  std::size_t rows = 512;  ///< most tokens in one decode, a multiple of 16
  ShapeClass shape;        ///< of pinned mode
  /// Computes a prefix that scored items have in common once. Off: one item at a time, each from
  /// its first token, which is many times slower.
  bool share_prefixes = true;
  int gpu_layers = 0;  ///< layers put on a GPU that llama.cpp was built for
  KvFormat kv = KvFormat::f32;
  bool repack = true;  ///< weights are rearranged for the tier's kernels
  Mode mode = Mode::pinned;
  bool thorough_probe = false;  ///< probe() computes several times as many rows
  /// A program that answers `--probe-tier NAME` with run_tier_probe(). Empty: tiers are not probed.
  std::filesystem::path prober;
  /// Folder that remembers which tier ran on this CPU. Empty: the probe runs every time.
  std::filesystem::path cache;
};

/// What the work took since the model was opened.
struct Counters {
  std::size_t decodes = 0;
  std::size_t computed = 0;   ///< tokens sent through the model, padding not counted
  std::size_t generated = 0;  ///< tokens of answers
  std::size_t places = 0;     ///< for tokens of answers, in all steps; idle slots count
  std::size_t padding = 0;    ///< rows that only fill a decode's shape
  std::size_t copies = 0;     ///< prefixes copied between streams
  double work = 0;            ///< of scoring, weighed by decode_cost()
  double planned = 0;         ///< the same of all that was asked so far
  double load_seconds = 0;    ///< open()
  double decode_seconds = 0;
  double read_seconds = 0;  ///< logits to log-likelihoods
};

class LlamaBackend : public Backend {
 public:
  [[nodiscard]] virtual Counters counters() const = 0;
  /// What a reader of the scores must know, e.g. that a faster CPU tier crashed in its probe.
  [[nodiscard]] virtual const std::vector<core::Warning>& warnings() const = 0;
  /// The class in force; identity().settings names it too.
  [[nodiscard]] virtual ShapeClass shape_class() const = 0;
  /// Decodes have shapes of this class from now on. Errors: what Options::shape may not be.
  virtual base::Status set_shape_class(const ShapeClass& shape) = 0;
};

/// Checks and loads the model. Errors (one line): the file (check_gguf), an unknown tier or one
/// that this CPU cannot run, an architecture that gives no log-likelihoods, too little memory.
base::Result<std::unique_ptr<LlamaBackend>> open(const Options& options);

/// What open() will say of itself, without loading the weights: all but the shapes of its decodes.
/// Reads the whole file for its hash. Errors: those of open() before the load.
base::Result<Identity> identity_before_loading(const Options& options);

/// What every model can do here; its context length is unknown.
Capabilities usual_capabilities();

/// The llama.cpp that is built in, e.g. "b11549".
std::string version();

/// SHA-256 over the sources of this folder: builds with another one may compute other answers.
std::string engine_hash();

}  // namespace tare::backend::llama
