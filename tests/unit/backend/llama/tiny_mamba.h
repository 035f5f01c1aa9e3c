#pragma once

#include <string>

namespace tare::test {

/// A GGUF file of a recurrent model (Mamba, 2 layers of 32 numbers) with random weights. Its 259
/// tokens are three special ones and the 256 bytes.
std::string tiny_mamba();

}  // namespace tare::test
