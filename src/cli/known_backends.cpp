#include "cli/known_backends.h"

#include <algorithm>
#include <array>

namespace tare::cli {
namespace {

constexpr std::array kBackends{
    KnownBackend{
        .scheme = "gguf",
        .spelling =
            "gguf:PATH[,max_length=N,kv=f32|f16,gpu_layers=N,share=yes|no,think_end_token=TEXT]",
        .meaning = "llama.cpp in this process",
        .can = "scores, generates and samples; token ids, greedy flag, own defaults",
        .needs = "a GGUF file"},
    KnownBackend{.scheme = "openai",
                 .spelling = "openai:URL[;URL...][,model=NAME,endpoint=completions|chat,...]",
                 .meaning = "any server of the OpenAI API",
                 .can = "generates and samples; scores where the server gives log-probabilities of "
                        "the prompt, never with endpoint=chat",
                 .needs = "a running server; an API key from the environment if it wants one",
                 .chat = true},
    KnownBackend{.scheme = "llama-server",
                 .spelling = "llama-server:URL[;URL...][,endpoint=completions|chat,...]",
                 .meaning = "llama.cpp's server, native endpoints",
                 .can = "scores, generates and samples; token ids, own defaults",
                 .needs = "a running llama-server",
                 .chat = true},
    KnownBackend{.scheme = "ollama",
                 .spelling = "ollama:NAME[,url=URL,num_ctx=N,endpoint=completions|chat,...]",
                 .meaning = "an Ollama server, native API",
                 .can = "generates and samples; own defaults",
                 .needs = "a running Ollama with the model pulled",
                 .chat = true},
    KnownBackend{.scheme = "hf",
                 .spelling = "hf:PATH[,dtype=float32|float16|bfloat16,batch=N,max_length=N,"
                             "python=PATH,timeout=SECONDS]",
                 .meaning = "transformers' generate(), and scoring by its logits",
                 .can = "scores, generates and samples; token ids, greedy flag, own defaults",
                 .needs = "tare doctor --install hf; a folder with safetensors, or a GGUF file"},
    KnownBackend{.scheme = "hf-pipeline",
                 .spelling = "hf-pipeline:PATH[,...]",
                 .meaning = "transformers' text-generation pipeline",
                 .can = "generates and samples; token ids, own defaults",
                 .needs = "as hf"},
    KnownBackend{.scheme = "langchain-hf",
                 .spelling = "langchain-hf:PATH[,...]",
                 .meaning = "LangChain's HuggingFacePipeline",
                 .can = "generates and samples; token ids, own defaults",
                 .needs = "as hf"},
    KnownBackend{.scheme = "vllm",
                 .spelling = "vllm:PATH[,...]",
                 .meaning = "vLLM's offline engine",
                 .can = "scores, generates and samples; token ids, greedy flag, own defaults",
                 .needs = "tare doctor --install vllm; weights as hf"},
    KnownBackend{.scheme = "scripted",
                 .spelling = "scripted:FILE[,endpoint=chat]",
                 .meaning = "answers from a file, pseudo-random ones with FILE=zero",
                 .can = "everything, unless the file says no (docs/formats/scripted.md)",
                 .needs = "nothing",
                 .chat = true},
};

}  // namespace

std::span<const KnownBackend> known_backends() {
  return kBackends;
}

const KnownBackend* find_backend(std::string_view scheme) {
  const auto* found = std::ranges::find(kBackends, scheme, &KnownBackend::scheme);
  return found == kBackends.end() ? nullptr : found;
}

std::vector<std::string> backend_schemes() {
  std::vector<std::string> schemes;
  for (const KnownBackend& backend : kBackends) schemes.emplace_back(backend.scheme);
  return schemes;
}

std::vector<std::string> short_spellings() {
  std::vector<std::string> spellings;
  for (const KnownBackend& backend : kBackends)
    spellings.emplace_back(backend.spelling.substr(0, backend.spelling.find('[')));
  return spellings;
}

bool takes_messages(const ModelSpec& model) {
  const KnownBackend* backend = find_backend(model.scheme);
  if (backend == nullptr || !backend->chat) return false;
  if (model.scheme == "openai" && model.name.find("/chat/completions") != std::string::npos)
    return true;
  return std::ranges::any_of(model.arguments, [](const auto& argument) {
    return argument.first == "endpoint" && argument.second == "chat";
  });
}

}  // namespace tare::cli
