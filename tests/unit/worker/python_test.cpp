#include "worker/python_functions.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/files.h"
#include "support.h"

namespace tare::worker {
namespace {

using base::List;
using base::Value;
using core::FunctionUse;
using std::chrono::milliseconds;

base::Result<Value> field(PythonFunctions& functions, const core::FunctionRef& function,
                          Value document = {}) {
  const List arguments{std::move(document)};
  return functions.call(function, FunctionUse::document_field, arguments);
}

/// The error of a call with these options.
std::string failure(const std::string& code, const PythonOptions& options = {}) {
  const test::TempDir dir;
  const auto functions = start_worker(options);
  const auto function = helper(dir, "utils.f", code);
  const auto result = field(*functions, function);
  REQUIRE_FALSE(result.has_value());
  const auto again = field(*functions, function);
  REQUIRE_FALSE(again.has_value());
  return result.error().text;
}

void check_contains(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("a module keeps its state from call to call") {
  const test::TempDir dir;
  const auto functions = start_worker();
  const auto count =
      helper(dir, "utils.f", "n = 0\ndef f(doc):\n    global n\n    n += 1\n    return n\n");
  for (int i = 1; i <= 3; ++i) CHECK(*field(*functions, count) == Value(i));
  const auto other = start_worker();
  CHECK(*field(*other, count) == Value(1));
}

TEST_CASE("files of the same name in two folders are two modules, and so are their neighbours") {
  const test::TempDir one, two;
  one.write("side.py", "name = 'one'\n");
  two.write("side.py", "name = 'two'\n");
  const std::string code = "import side\ndef f(doc):\n    return side.name\n";
  const auto functions = start_worker();
  CHECK(*field(*functions, helper(one, "utils.f", code)) == Value("one"));
  CHECK(*field(*functions, helper(two, "utils.f", code)) == Value("two"));
}

TEST_CASE("a task of lm-eval's tree finds its neighbours by their full name without lm-eval") {
  const test::TempDir dir;
  dir.write("lm_eval/tasks/one/part.py", "x = 5\n");
  const auto function =
      helper(dir, "lm_eval.tasks.one.utils.f",
             "from lm_eval.tasks.one import part\ndef f(doc):\n    return part.x\n");
  const auto functions = start_worker();
  CHECK(*field(*functions, function) == Value(5));
  CHECK(functions->identity().find("files")->as_dict().size() == 2);
}

TEST_CASE("a call that takes too long ends the worker, and later calls say why") {
  const auto start = std::chrono::steady_clock::now();
  PythonOptions options;
  options.call_limit = milliseconds(1500);
  check_contains(failure("import time\ndef f(doc):\n    time.sleep(100)\n", options),
                 "!function utils.f: the Python worker: it took longer than 1.5 s and was ended");
  check_contains(failure("def f(doc):\n    while True: pass\n", options), "longer than 1.5 s");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a crash is reported with the last words") {
  check_contains(failure("import ctypes\ndef f(doc):\n    ctypes.string_at(0)\n"), "signal 11");
  check_contains(
      failure(
          "import os, sys\ndef f(doc):\n    os.write(2, b'dying \\xff now\\n')\n    os._exit(7)\n"),
      "it ended with exit code 7; the last it printed: dying \xEF\xBF\xBD now");
}

TEST_CASE("a helper that closes the channel is told from one that ended") {
  check_contains(failure("import os, time\ndef f(doc):\n    os.close(3)\n    os.closerange(4, 64)\n"
                         "    time.sleep(100)\n"),
                 "it closed the channel and was ended");
}

TEST_CASE("memory is bounded") {
  PythonOptions options;
  options.memory_bytes = std::size_t{2} << 30;
  check_contains(failure("def f(doc):\n    return len(bytearray(4 << 30))\n", options),
                 "MemoryError");
}

TEST_CASE("an answer beyond the bound ends the worker") {
  PythonOptions options;
  options.answer_bytes = 1 << 20;
  check_contains(failure("def f(doc):\n    return 'a' * (64 << 20)\n", options),
                 "its answer is longer than 1048576 bytes");
}

TEST_CASE("a large document comes back while the helper prints much") {
  const test::TempDir dir;
  const auto functions = start_worker();
  const auto function =
      helper(dir, "utils.f", "def f(doc):\n    print('x' * (1 << 20))\n    return doc\n");
  const Value large(std::string(std::size_t{8} << 20, 'y'));
  const auto result = field(*functions, function, large);
  REQUIRE(result.has_value());
  CHECK(*result == large);
}

TEST_CASE("a helper that writes into the channel is no answer") {
  check_contains(failure("import os\ndef f(doc):\n    os.write(3, b'\\xff\\xfe\\n')\n"),
                 "the Python worker's answer is not understood");
  check_contains(
      failure("import os\ndef f(doc):\n    os.write(3, b'{\"id\": 99, \"value\": 1}\\n')\n"),
      "it is not for request 1");
}

TEST_CASE("a helper file that has changed is not run") {
  const test::TempDir dir;
  const auto functions = start_worker();
  auto function = helper(dir, "utils.f", "def f(doc):\n    return 1\n");
  function.sha256 = std::string(64, '0');
  const auto result = field(*functions, function);
  REQUIRE_FALSE(result.has_value());
  check_contains(result.error().text, "utils.py has changed since it was first read; run again");
}

TEST_CASE("an interpreter that is none is an error of input") {
  for (const char* interpreter : {"/no/such/python", "/bin/true", "/bin/cat"}) {
    PythonOptions options;
    options.interpreter = interpreter;
    options.call_limit = milliseconds(2000);
    const auto functions = PythonFunctions::start(options);
    REQUIRE_FALSE(functions.has_value());
    CHECK(functions.error().kind == base::ErrorKind::input);
    check_contains(functions.error().text, interpreter);
    check_contains(functions.error().text, "--python PATH");
  }
}

TEST_CASE("what ran is told") {
  const test::TempDir dir;
  const auto functions = start_worker();
  const auto function = helper(dir, "utils.f", "def f(doc):\n    return 1\n");
  REQUIRE(field(*functions, function).has_value());
  const Value identity = functions->identity();
  CHECK(identity.find("python")->as_string().starts_with("3."));
  CHECK(identity.find("program_sandbox")->as_string().empty());
  const auto files = identity.find("files")->as_dict();
  REQUIRE(files.size() == 1);
  CHECK(files.begin()->second == Value(function.sha256));
  CHECK((identity.find("network")->as_string() == "none") == functions->warning().empty());
}

TEST_CASE("modules of the interpreter are known, others are not") {
  const auto functions = start_worker();
  CHECK(functions->knows({"json.dumps", {}, {}, {}}, FunctionUse::document_field));
  CHECK_FALSE(functions->knows({"no_such.f", {}, {}, {}}, FunctionUse::document_field));
  const List document{Value(List{1})};
  CHECK(*functions->call({"json.dumps", {}, {}, {}}, FunctionUse::document_field, document) ==
        Value("[1]"));
}

bool runs(pid_t process) {
  for (int tries = 0; tries < 300; ++tries) {
    const auto status = base::read_file("/proc/" + std::to_string(process) + "/stat");
    if (!status || status->find(") Z") != std::string::npos) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

TEST_CASE("the worker ends with its owner, whatever it does, and takes its children along") {
  const test::TempDir dir;
  auto functions = start_worker();
  const auto function = helper(dir, "utils.f",
                               "import os, time\n"
                               "def f(doc):\n"
                               "    child = os.fork()\n"
                               "    if child == 0:\n"
                               "        time.sleep(100)\n"
                               "    return [os.getpid(), child]\n");
  const auto result = field(*functions, function);
  REQUIRE(result.has_value());
  functions.reset();
  for (const Value& process : result->items())
    CHECK_FALSE(runs(static_cast<pid_t>(process.as_int())));
}

TEST_CASE("the worker is killed when its owner is killed") {
  const test::TempDir dir;
  const auto mark = dir.path() / "pid";
  const auto function =
      helper(dir, "utils.f",
             "import os\ndef f(doc):\n    open(doc, 'w').write(str(os.getpid()))\n"
             "    while True: pass\n");
  const pid_t owner = fork();
  if (owner == 0) {
    auto functions = PythonFunctions::start({});
    if (functions) static_cast<void>(field(**functions, function, mark.string()));
    _exit(0);
  }
  std::string pid;
  for (int tries = 0; tries < 2000 && pid.empty(); ++tries) {
    std::this_thread::sleep_for(milliseconds(10));
    pid = base::read_file(mark).value_or("");
  }
  kill(owner, SIGKILL);
  REQUIRE_FALSE(pid.empty());
  CHECK_FALSE(runs(std::stoi(pid)));
}

}  // namespace
}  // namespace tare::worker
