#pragma once

#include <string>

#include "backend/python/model_worker.h"
#include "support/support.h"

namespace tare::backend::python {

/// A model folder for tests/support/fake_model_worker.py.
class FakeModel {
 public:
  /// `config` is the text of fake.conf.
  explicit FakeModel(const std::string& config);

  /// Of a worker that is borne with for 3 seconds an item.
  [[nodiscard]] WorkerOptions options() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return dir_.path(); }
  /// How often a worker was started.
  [[nodiscard]] std::size_t starts() const;
  /// How many requests of a kind workers were sent.
  [[nodiscard]] std::size_t requests(const std::string& operation) const;
  /// The process ids of all that were started.
  [[nodiscard]] std::vector<int> processes() const;

 private:
  test::TempDir dir_;
};

/// Its program, which stands in for an interpreter.
std::filesystem::path fake_interpreter();

/// A text whose last `scored` bytes are to be scored.
ScoreItem score_item(std::size_t id, const std::string& text, std::size_t scored = 2);

/// A prompt with settings that live as long as the program.
GenerateItem generate_item(std::size_t id, const std::string& text);

}  // namespace tare::backend::python
