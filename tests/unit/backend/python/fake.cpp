#include "fake.h"

#include <doctest/doctest.h>

#include <sstream>

#include "base/files.h"

namespace tare::backend::python {

FakeModel::FakeModel(const std::string& config) {
  dir_.write("fake.conf", config);
  dir_.write("config.json", "{}");
  dir_.write("model.safetensors", "");
}

WorkerOptions FakeModel::options() const {
  WorkerOptions options;
  options.interpreter = fake_interpreter();
  options.settings.engine = "hf";
  options.settings.path = dir_.path().string();
  options.load_limit = std::chrono::seconds(10);
  options.item_limit = std::chrono::seconds(3);
  options.answer_bytes = std::size_t{1} << 20;
  return options;
}

std::vector<int> FakeModel::processes() const {
  std::vector<int> all;
  std::istringstream lines(base::read_file(dir_.path() / "starts").value_or(""));
  for (int process = 0; lines >> process;) all.push_back(process);
  return all;
}

std::size_t FakeModel::starts() const {
  return processes().size();
}

std::size_t FakeModel::requests(const std::string& operation) const {
  std::istringstream lines(base::read_file(dir_.path() / "requests").value_or(""));
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) found += line == operation ? 1 : 0;
  return found;
}

std::filesystem::path fake_interpreter() {
  return test::source_dir() / "tests/support/fake_model_worker.py";
}

ScoreItem score_item(std::size_t id, const std::string& text, std::size_t scored) {
  REQUIRE(text.size() > scored);
  ScoreItem item{id, {}, text.size() - scored};
  for (const char c : text) item.tokens.push_back(static_cast<unsigned char>(c));
  return item;
}

GenerateItem generate_item(std::size_t id, const std::string& text) {
  static const core::GenerationSettings kSettings;
  GenerateItem item{id, {}, &kSettings, 1};
  for (const char c : text) item.tokens.push_back(static_cast<unsigned char>(c));
  return item;
}

}  // namespace tare::backend::python
