#include "drive/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "drive/test_support.h"

namespace planex::drive {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::EndsWith;

struct Captured {
  SubprocessOutcome outcome;
  std::string output;
};

Captured run(std::vector<std::string> arguments, std::optional<milliseconds> timeout = {},
             const Cancellation& cancellation = {}) {
  Captured captured;
  SubprocessRequest request;
  request.arguments = std::move(arguments);
  request.timeout = timeout;
  request.grace = milliseconds(200);
  request.on_stdout = [&](std::string_view chunk) { captured.output += chunk; };
  auto outcome = run_subprocess(request, cancellation);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  if (outcome) captured.outcome = *outcome;
  return captured;
}

// Signals are delivered with a delay; a zombie that nobody reaps counts as gone.
bool is_gone_soon(pid_t pid) {
  for (int tries = 0; tries < 500; ++tries) {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_end = status.rfind(") ");
    if (name_end == std::string::npos || status[name_end + 2] == 'Z') return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(Subprocess, PassesArgumentsAsTheyAre) {
  const auto captured =
      run({"printf", "[%s]", "a b", "", "$HOME", "*", "'\"", "new\nline", "--", "-n", "é;|&"});
  EXPECT_EQ(captured.output, "[a b][][$HOME][*]['\"][new\nline][--][-n][é;|&]");
  EXPECT_EQ(captured.outcome.ending, Ending::kExited);
  EXPECT_EQ(captured.outcome.exit_code, 0);
}

TEST(Subprocess, TakesMuchOutputOnBothPipes) {
  const auto captured = run({"sh", "-c",
                             "head -c 3000000 /dev/zero | tr '\\0' e >&2;"
                             "head -c 5000000 /dev/zero | tr '\\0' o; echo last >&2; exit 3"});
  EXPECT_EQ(captured.output.size(), 5'000'000u);
  EXPECT_EQ(captured.outcome.exit_code, 3);
  EXPECT_EQ(captured.outcome.stderr_tail.size(), std::size_t{64} << 10);
  EXPECT_THAT(captured.outcome.stderr_tail, EndsWith("elast\n"));
}

TEST(Subprocess, TellsSignals) {
  const auto captured = run({"sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(captured.outcome.ending, Ending::kSignalled);
  EXPECT_EQ(captured.outcome.signal, SIGSEGV);
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
}

TEST(Subprocess, MissingProgramIsAnError) {
  SubprocessRequest request;
  request.arguments = {"/no/such/program"};
  const auto outcome = run_subprocess(request, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(outcome.error().message, "can't start \"/no/such/program\": No such file or directory");
}

TEST(Subprocess, NoProgramAndNulAreUsageErrors) {
  SubprocessRequest request;
  EXPECT_EQ(run_subprocess(request, {}).error().code, ErrorCode::kUsage);
  request.arguments = {"echo", std::string("a\0b", 3)};
  EXPECT_EQ(run_subprocess(request, {}).error().code, ErrorCode::kUsage);
}

TEST(Subprocess, HasNoInputAndNoTerminal) {
  EXPECT_EQ(run({"cat"}).outcome.exit_code, 0);
  EXPECT_NE(run({"sh", "-c", "exec 2>&1 < /dev/tty"}).outcome.exit_code, 0);
}

TEST(Subprocess, CancellationStopsTheChildAndItsChildren) {
  const TemporaryFolder folder;
  std::atomic<bool> flag{false};
  std::thread canceller([&] {
    while (read_file(folder.path("pids")).find('\n') == std::string::npos) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    flag = true;
  });
  const auto start = std::chrono::steady_clock::now();
  const auto captured =
      run({"sh", "-c", "sleep 100 & echo $! > \"$1/part\"; mv \"$1/part\" \"$1/pids\"; wait", "sh",
           folder.path()},
          {}, Cancellation(flag));
  canceller.join();
  EXPECT_EQ(captured.outcome.ending, Ending::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(50'000));
  const auto grandchild = static_cast<pid_t>(std::stol(read_file(folder.path("pids"))));
  EXPECT_TRUE(is_gone_soon(grandchild));
}

TEST(Subprocess, ADeadlineStopsTheChild) {
  const std::atomic<bool> flag{false};
  const auto start = std::chrono::steady_clock::now();
  const Cancellation never(flag);
  const auto captured = run({"sleep", "100"}, {}, never.until(start + milliseconds(100)));
  EXPECT_EQ(captured.outcome.ending, Ending::kCancelled);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(100));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(50'000));
  EXPECT_FALSE(never.requested()) << "a copy has the deadline";
}

TEST(Subprocess, EndsWithTheProcessThatStartedIt) {
  const TemporaryFolder folder;
  const pid_t starter = ::fork();
  ASSERT_GE(starter, 0);
  if (starter == 0) {
    run({"sh", "-c", "echo $$ > \"$1/part\"; mv \"$1/part\" \"$1/pid\"; exec sleep 100", "sh",
         folder.path()});
    ::_exit(0);
  }
  for (int tries = 0; tries < 2000 && read_file(folder.path("pid")).empty(); ++tries) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  ::kill(starter, SIGKILL);
  ASSERT_EQ(::waitpid(starter, nullptr, 0), starter);
  EXPECT_TRUE(is_gone_soon(static_cast<pid_t>(std::stol(read_file(folder.path("pid"))))));
}

TEST(Subprocess, KillsWhatIgnoresTermination) {
  const auto captured = run({"sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"},
                            milliseconds(200));
  EXPECT_EQ(captured.outcome.ending, Ending::kTimedOut);
  EXPECT_EQ(captured.output, "ready\n");
}

TEST(Subprocess, DoesNotWaitForChildrenLeftBehind) {
  const auto start = std::chrono::steady_clock::now();
  const auto captured = run({"sh", "-c", "sleep 100 & echo $!"});
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(50'000));
  EXPECT_EQ(captured.outcome.exit_code, 0);
  EXPECT_TRUE(is_gone_soon(static_cast<pid_t>(std::stol(captured.output))));
}

TEST(LineSplitter, JoinsChunksAndDropsEndlessLines) {
  std::vector<std::string> lines;
  LineSplitter splitter([&](std::string_view line) { lines.emplace_back(line); });
  splitter.add("on");
  splitter.add("e\ntwo\n\nth");
  splitter.add("ree");
  splitter.add("\n" + std::string(3'000'000, 'x'));
  splitter.add("\nlast");
  splitter.finish();
  EXPECT_THAT(lines, ElementsAre("one", "two", "", "three", "last"));
}

}  // namespace
}  // namespace planex::drive
