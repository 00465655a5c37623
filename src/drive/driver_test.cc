#include "drive/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/text.h"
#include "drive/test_support.h"

namespace planex::drive {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// A fake planex-openvino: writes what it was started with.
constexpr const char* kWritesFiles = R"(
while [ $# -gt 0 ]; do
  case "$1" in --out) out="$2"; shift ;; --fail) fail=1 ;; esac
  shift
done
echo '{"phase":"read","done":0}'
echo 'not json'
echo '{"phase":"time","done":0.5}'
echo '{"schema":"planex.openvino-graph/1"}' > "$out.graph.json"
echo '{"schema":"planex.openvino-profile/1"}' > "$out.profile.json"
echo '{"schema":"planex.times/1"}' > "$out.times.json"
echo '{"schema":"planex.openvino-result/1","notes":["a note"]}' > "$out.result.json"
if [ -n "$fail" ]; then
  echo '{"schema":"planex.driver-error/1","kind":"tool","phase":"write","message":"no"}' >&2
  exit 4
fi
)";

class RecordedProgress final : public Progress {
 public:
  void update(std::string_view engine, std::string_view phase, double done) override {
    steps.push_back(std::string(engine) + " " + std::string(phase) + " " +
                    std::to_string(static_cast<int>(done * 100)));
    if (on_update) on_update();
  }
  std::vector<std::string> steps;
  std::function<void()> on_update;
};

class ProcessTest : public ::testing::Test {
 protected:
  ProcessRequest request(std::string_view script = kWritesFiles) {
    folder_.write_program("planex-openvino", script);
    ProcessRequest request;
    request.model = folder_.write("my model.v1.onnx", "abc");
    request.output_dir = folder_.path("new/out");
    request.program_dir = folder_.path();
    return request;
  }

  TemporaryFolder folder_;
  RecordedProgress progress_;
};

TEST_F(ProcessTest, WritesAllFilesAndAManifest) {
  const ProcessRequest asked = request();
  const auto outcome = process(asked, progress_, {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->name, "my model.v1");
  EXPECT_THAT(
      folder_.list("new/out"),
      UnorderedElementsAre("my model.v1.graph.json", "my model.v1.profile.json",
                           "my model.v1.times.json", "my model.v1.machine.json", "manifest.json"));
  EXPECT_THAT(outcome->notes, ElementsAre("a note"));
  EXPECT_THAT(progress_.steps, ElementsAre("openvino read 0", "openvino time 50"));
  ASSERT_EQ(outcome->artefacts.size(), 4u);
  EXPECT_EQ(outcome->artefacts[2].kind, "times");
  EXPECT_EQ(outcome->artefacts[2].path, folder_.path("new/out/my model.v1.times.json"));
  EXPECT_EQ(outcome->artefacts[3].kind, "machine");
  const std::string machine = read_file(outcome->artefacts[3].path);
  EXPECT_THAT(machine, HasSubstr("\"schema\": \"planex.machine/1\""));
  // The phases of the driver.
  EXPECT_THAT(machine, HasSubstr("\"name\": \"time\""));
  const std::string manifest = read_file(outcome->manifest);
  EXPECT_THAT(manifest, HasSubstr("\"schema\": \"planex.manifest/1\""));
  // SHA-256 of "abc", from FIPS 180-2.
  EXPECT_THAT(manifest,
              HasSubstr("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  EXPECT_THAT(manifest, HasSubstr(outcome->artefacts[0].sha256));
  EXPECT_THAT(manifest, Not(HasSubstr(".planex-"))) << "no temporary names";
}

// The manifest's hash is that of the file the engine may have read, not of a later one.
TEST_F(ProcessTest, AModelThatChangesMeanwhileIsNamed) {
  const ProcessRequest same = request();
  const auto unchanged = process(same, progress_, {});
  ASSERT_TRUE(unchanged.has_value()) << unchanged.error().message;
  EXPECT_THAT(read_file(unchanged->manifest), HasSubstr("\"was_changed\": false"));
  ProcessRequest asked = request();
  progress_.on_update = [&] { folder_.write("my model.v1.onnx", "another model"); };
  const auto outcome = process(asked, progress_, {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_THAT(outcome->notes, Contains(HasSubstr("was changed while it was built and measured")));
  const std::string manifest = read_file(outcome->manifest);
  EXPECT_THAT(manifest, HasSubstr("\"was_changed\": true"));
  EXPECT_THAT(manifest,
              HasSubstr("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

// A record can be stale if another model was written over the one that it describes.
TEST_F(ProcessTest, RecordsOfOtherModelsStayBehind) {
  const ProcessRequest asked = request();
  const auto record = [&](std::string_view sha256) {
    folder_.write("my model.v1.onnx.quantize.json",
                  base::format(R"({{"schema":"planex.quantize/1","output_sha256":"{}"}})", sha256));
    const auto outcome = process(asked, progress_, {});
    EXPECT_TRUE(outcome.has_value());
    return outcome->notes;
  };
  EXPECT_THAT(record("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
              ElementsAre("a note"));
  EXPECT_TRUE(folder_.list("new/out").contains("my model.v1.quantize.json"));
  EXPECT_THAT(record("0000"), Contains(HasSubstr("belongs to another model")));
  EXPECT_FALSE(folder_.list("new/out").contains("my model.v1.quantize.json"));
}

TEST_F(ProcessTest, ReplacesItsOwnFilesAndLeavesOthers) {
  ProcessRequest asked = request();
  asked.output_dir = folder_.path();
  folder_.write("other.graph.json", "mine");
  folder_.write("my model.v1.graph.json", "old");
  ASSERT_TRUE(process(asked, progress_, {}).has_value());
  EXPECT_EQ(read_file(folder_.path("other.graph.json")), "mine");
  EXPECT_THAT(read_file(folder_.path("my model.v1.graph.json")), HasSubstr("openvino-graph"));
}

TEST_F(ProcessTest, KeepsTheFilesOfAnotherModel) {
  ProcessRequest asked = request();
  ASSERT_TRUE(process(asked, progress_, {}).has_value());
  ASSERT_TRUE(process(asked, progress_, {}).has_value()) << "the same model again";
  const auto before = folder_.list("new/out");
  asked.model = folder_.write("second.onnx", "def");
  const auto outcome = process(asked, progress_, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
  EXPECT_THAT(outcome.error().message, HasSubstr("\"my model.v1\""));
  EXPECT_THAT(outcome.error().hint, HasSubstr("new/out/second"));
  EXPECT_EQ(folder_.list("new/out"), before);
  folder_.write("new/out/manifest.json", "{\"schema\": \"another/1\"}");
  EXPECT_TRUE(process(asked, progress_, {}).has_value()) << "not ours";
}

TEST_F(ProcessTest, RemovesTheStaleProfileOfAnEarlierRun) {
  ProcessRequest asked = request(std::string(kWritesFiles) + "rm \"$out.profile.json\"\n");
  asked.output_dir = folder_.path();
  folder_.write("my model.v1.profile.json", "old");
  ASSERT_TRUE(process(asked, progress_, {}).has_value());
  EXPECT_FALSE(folder_.list().contains("my model.v1.profile.json"));
}

TEST_F(ProcessTest, FailureLeavesNothingBehind) {
  ProcessRequest asked = request();
  asked.flags = {"--fail"};
  const auto before = folder_.list();
  const auto outcome = process(asked, progress_, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kExternalTool);
  EXPECT_EQ(folder_.list(), before) << "folders that were made are gone, too";
}

TEST_F(ProcessTest, FailureKeepsOldFiles) {
  ProcessRequest asked = request();
  asked.flags = {"--fail"};
  asked.output_dir = folder_.path();
  folder_.write("my model.v1.graph.json", "old");
  const auto before = folder_.list();
  EXPECT_FALSE(process(asked, progress_, {}).has_value());
  EXPECT_EQ(folder_.list(), before);
  EXPECT_EQ(read_file(folder_.path("my model.v1.graph.json")), "old");
}

TEST_F(ProcessTest, AFileThatCantBeReplacedLeavesTheOthersAsTheyWere) {
  ProcessRequest asked = request();
  asked.output_dir = folder_.path();
  folder_.write("my model.v1.graph.json", "old");
  std::filesystem::create_directories(folder_.path("my model.v1.times.json/x"));
  const auto before = folder_.list();
  const auto outcome = process(asked, progress_, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kIo);
  EXPECT_EQ(folder_.list(), before);
  EXPECT_EQ(read_file(folder_.path("my model.v1.graph.json")), "old");
}

TEST_F(ProcessTest, CancellationLeavesNothingBehind) {
  const ProcessRequest asked =
      request("echo '{\"phase\":\"compile\",\"done\":0}'; exec sleep 100\n");
  std::atomic<bool> flag{false};
  progress_.on_update = [&] { flag = true; };
  const auto before = folder_.list();
  const auto outcome = process(asked, progress_, Cancellation(flag));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(folder_.list(), before);
}

TEST_F(ProcessTest, ACrashIsTold) {
  const auto outcome =
      process(request("echo '{\"phase\":\"read\",\"done\":0}'; kill -SEGV $$\n"), progress_, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().message, "OpenVINO crashed (SIGSEGV) while reading the model");
}

TEST_F(ProcessTest, PlansWhatItRuns) {
  ProcessRequest asked = request();
  asked.launcher = {"env", "A=b c"};
  asked.flags = {"--seed", "2"};
  asked.threads = "4";
  const auto planned = planned_commands(asked, {});
  ASSERT_TRUE(planned.has_value());
  EXPECT_THAT(*planned, ElementsAre(base::format(
                            "env 'A=b c' {0}/planex-openvino --model '{0}/my model.v1.onnx' --out "
                            "'{0}/new/out/my model.v1' --name 'my model.v1' --threads 4 --seed 2",
                            folder_.path())));
  const auto outcome = process(asked, progress_, {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_THAT(read_file(outcome->manifest), HasSubstr("\"--seed\", \"2\""));
}

TEST_F(ProcessTest, PassesQuestionsOn) {
  ProcessRequest asked = request("for word in \"$@\"; do echo \"$word\"; done\n");
  asked.flags = {"--help"};
  asked.model = "none.onnx";
  const auto outcome = process(asked, progress_, {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_THAT(outcome->text, HasSubstr("--help\n"));
  EXPECT_FALSE(folder_.list().contains("new"));
}

TEST_F(ProcessTest, RefusesFlagsThatAreItsOwn) {
  ProcessRequest asked = request();
  asked.flags = {"--out=elsewhere"};
  const auto outcome = process(asked, progress_, {});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
}

TEST_F(ProcessTest, TellsWhatIsMissing) {
  ProcessRequest asked = request();
  asked.model = folder_.path("none.onnx");
  EXPECT_EQ(process(asked, progress_, {}).error().code, ErrorCode::kNotFound);
  asked = request();
  asked.program_dir = folder_.path("elsewhere");
  EXPECT_EQ(process(asked, progress_, {}).error().code, ErrorCode::kNotFound);
  asked.engine = "openvimo";
  EXPECT_EQ(process(asked, progress_, {}).error().hint, "Did you mean openvino?");
  EXPECT_EQ(planned_commands(asked, {}).error().code, ErrorCode::kUsage);
}

TEST(Driver, NamesEnginesByTheirFile) {
  EXPECT_EQ(engine_name("a/b.c.onnx"), "b.c");
  EXPECT_EQ(engine_name("model"), "model");
  EXPECT_EQ(engine_name(".onnx"), ".onnx");
}

}  // namespace
}  // namespace planex::drive
