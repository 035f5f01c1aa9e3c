// bare_decode MODEL THREADS DEPTH ROWS OUTPUTS REPEATS: tokens a second of llama_decode alone, with
// DEPTH tokens in the cache, ROWS in a decode and OUTPUTS of them projected onto the vocabulary, as
// a score needs. llama-bench projects one row of a prompt. Takes the CPU library that stands in the
// program's own folder.
#include <ggml-backend.h>
#include <llama.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct Settings {
  const char* model = nullptr;
  int threads = 1, depth = 0, rows = 512, outputs = 1, repeats = 3;
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "bare_decode: %s\n", what);
  std::exit(1);
}

Settings read(int count, char** words) {
  if (count != 7) fail("wanted MODEL THREADS DEPTH ROWS OUTPUTS REPEATS");
  Settings settings{words[1],
                    std::atoi(words[2]),
                    std::atoi(words[3]),
                    std::atoi(words[4]),
                    std::atoi(words[5]),
                    std::atoi(words[6])};
  if (settings.threads < 1 || settings.depth < 0 || settings.rows < 1 || settings.outputs < 0 ||
      settings.outputs > settings.rows || settings.repeats < 1)
    fail("a number is out of range");
  return settings;
}

/// The cache in float32 and flash attention off, as tare has them.
llama_context* open_context(llama_model* model, const Settings& settings) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<uint32_t>((settings.depth + settings.rows + 255) / 256 * 256);
  params.n_batch = params.n_ubatch = static_cast<uint32_t>(settings.rows);
  params.n_threads = params.n_threads_batch = settings.threads;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = GGML_TYPE_F32;
  params.swa_full = true;
  return llama_init_from_model(model, params);
}

/// Rows that are outputs are spread evenly.
void decode(llama_context* context, const std::vector<llama_token>& tokens, int first, int count,
            int outputs) {
  llama_batch batch = llama_batch_init(count, 0, 1);
  batch.n_tokens = count;
  for (int i = 0; i < count; ++i) {
    batch.token[i] = tokens[static_cast<std::size_t>(first + i)];
    batch.pos[i] = first + i;
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = (i + 1) * outputs / count > i * outputs / count ? 1 : 0;
  }
  const int fault = llama_decode(context, batch);
  llama_batch_free(batch);
  if (fault != 0) fail("llama_decode failed");
  llama_synchronize(context);
}

std::vector<llama_token> some_tokens(const llama_model* model, int count) {
  const int vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model));
  std::vector<llama_token> tokens(static_cast<std::size_t>(count));
  unsigned state = 1;
  for (llama_token& token : tokens) {
    state = state * 1664525U + 1013904223U;
    token = static_cast<llama_token>((state >> 8) % static_cast<unsigned>(vocabulary));
  }
  return tokens;
}

double tokens_per_second(llama_context* context, const std::vector<llama_token>& tokens,
                         const Settings& settings) {
  using Clock = std::chrono::steady_clock;
  Clock::duration spent{};
  for (int i = 0; i <= settings.repeats; ++i) {
    llama_memory_seq_rm(llama_get_memory(context), 0, settings.depth, -1);
    const Clock::time_point start = Clock::now();
    decode(context, tokens, settings.depth, settings.rows, settings.outputs);
    if (i > 0) spent += Clock::now() - start;  // the first one warms up
  }
  return settings.rows * settings.repeats / std::chrono::duration<double>(spent).count();
}

}  // namespace

int main(int count, char** words) {
  const Settings settings = read(count, words);
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  ggml_backend_load_all();
  const std::unique_ptr<llama_model, void (*)(llama_model*)> model(
      llama_model_load_from_file(settings.model, llama_model_default_params()), llama_model_free);
  if (!model) fail("the model does not load");
  const std::unique_ptr<llama_context, void (*)(llama_context*)> context(
      open_context(model.get(), settings), llama_free);
  if (!context) fail("no context");
  const std::vector<llama_token> tokens = some_tokens(model.get(), settings.depth + settings.rows);
  for (int at = 0; at < settings.depth; at += settings.rows)
    decode(context.get(), tokens, at, std::min(settings.rows, settings.depth - at), 0);
  std::printf("{\"tokens_per_second\": %.3f}\n",
              tokens_per_second(context.get(), tokens, settings));
}
