// How an engine was built, according to its files.
#include "analyze/reproduce/repeat_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "base/files.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Section, key, value.
using Metadata = std::vector<std::array<std::string_view, 3>>;

std::vector<RepeatCommand> commands(std::string_view producer, std::string_view name,
                                    const Metadata& metadata) {
  model::ModelBuilder builder;
  model::EngineTable& engine = builder.model().engine;
  if (!producer.empty()) engine.producer.set(0, builder.strings().intern(producer));
  engine.detail.set(0, builder.strings().intern("full"));
  engine.name.set(0, builder.strings().intern(name));
  builder.add_file("run/x.graph.json", "tensorrt-graph", "", 1);
  for (const auto& [section, key, value] : metadata) {
    builder.add_metadata(section, key, value, "run/x.log");
  }
  return repeat_commands(builder.finish());
}

TEST(RepeatCommands, OfLogsAreAsRecordedAndThenOneMakesAll) {
  const auto list =
      commands("tensorrt", "resnet.engine",
               {{"command", "trtexec (build)", "trtexec --onnx=a.onnx --int8 --verbose"},
                {"command", "trtexec", "trtexec --loadEngine=a.plan --dumpProfile"},
                {"build", "command", "not one"}});
  ASSERT_THAT(list, SizeIs(3));
  EXPECT_EQ(list[0].origin, CommandOrigin::kRecorded);
  EXPECT_EQ(list[0].what, "built the engine");
  EXPECT_EQ(list[0].command, "trtexec --onnx=a.onnx --int8 --verbose");
  EXPECT_EQ(list[0].file, "run/x.log");
  EXPECT_EQ(list[1].what, "wrote the log");
  EXPECT_EQ(list[2].origin, CommandOrigin::kMade);
  EXPECT_THAT(list[2].file, IsEmpty());
  // The build's own options, and new files: in the folder it is run in.
  EXPECT_EQ(list[2].command,
            "trtexec --onnx=a.onnx --int8 --saveEngine=resnet.engine "
            "--profilingVerbosity=detailed --exportLayerInfo=resnet.graph.json --noDataTransfers "
            "--useCudaGraph --useSpinWait --separateProfileRun "
            "--exportProfile=resnet.profile.json --exportTimes=resnet.times.json");
}

TEST(RepeatCommands, OfBenchmarkAppComeFromItsOptions) {
  const auto list = commands("openvino", "m",
                             {{"command line parameters", "-m", "my model.xml"},
                              {"command line parameters", "-json_stats", ""},
                              {"command line parameters", "-d", "CPU"}});
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[0].origin, CommandOrigin::kOptions);
  EXPECT_EQ(list[0].command, "benchmark_app -m 'my model.xml' -json_stats -d CPU");
  EXPECT_THAT(list[1].command, HasSubstr("planex process"));
}

TEST(RepeatCommands, OfManifestsAreAllOfThem) {
  const auto list = commands("openvino", "m", {{"commands", "0", "a"}, {"commands", "1", "b"}});
  ASSERT_THAT(list, SizeIs(3));
  EXPECT_EQ(list[1].command, "b");
}

TEST(RepeatCommands, ThereIsNoneForWhatNobodyKnows) {
  EXPECT_THAT(commands("", "m", {}), IsEmpty());
  EXPECT_THAT(commands("elsewhere", "m", {}), IsEmpty());
}

// A name can be a path; nothing outside the folder is written.
TEST(RepeatCommands, WriteIntoTheFolderTheyRunIn) {
  for (const std::string_view producer : {"tensorrt", "tensorrt-rtx", "onnxruntime"}) {
    const auto list = commands(producer, "../../etc/x.plan", {});
    ASSERT_THAT(list, SizeIs(1));
    EXPECT_THAT(list[0].command, Not(HasSubstr("../"))) << producer;
    EXPECT_THAT(list[0].command, HasSubstr("MODEL.onnx")) << producer;
  }
}

TEST(RepeatCommands, OfRealLogs) {
  PLANEX_NEED_TEST_DATA(data);
  const auto model = test::must(test::load_engine(data, "mnist-trt8.6.0-names-only"));
  const auto list = repeat_commands(model);
  ASSERT_THAT(list, SizeIs(3));
  EXPECT_EQ(list[1].origin, CommandOrigin::kRecorded);
  EXPECT_THAT(list[2].command, HasSubstr("--onnx=model.onnx"));
  EXPECT_THAT(list[2].command, HasSubstr("--fp16"));
}

}  // namespace
}  // namespace planex::analyze
