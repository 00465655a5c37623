#include "ingest/discover/discover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ingest/discover/load.h"
#include "ingest/ingest_test_support.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kTimes = R"([{"startEnqMs": 1, "computeMs": 2, "latencyMs": 2}])";
constexpr std::string_view kMetadata = R"({"build_options": {"Precision": "FP16"}})";
constexpr std::string_view kOther = "Output of a tool that planex does not know";
constexpr std::string_view kLog = "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec";

// "path" of the files that are used, in reading order.
std::vector<std::string> used_files(const Result<Discovery>& discovery) {
  std::vector<std::string> paths;
  if (!discovery) {
    ADD_FAILURE() << test::to_text(discovery.error());
    return paths;
  }
  for (const FoundFile& file : discovery->files) {
    EXPECT_FALSE(file.evidence.empty()) << file.path;
    if (file.used) paths.push_back(file.path);
  }
  return paths;
}

TEST(Discover, AFolderOfOneEngine) {
  const auto files = test::memory_files({{"run/r.graph.json", kOneLayer},
                                         {"run/r.profile.json", kOneLayerProfile},
                                         {"run/r.timing.json", kTimes},
                                         {"run/r.build.metadata.json", kMetadata},
                                         {"run/r.profile.metadata.json", kMetadata},
                                         {"run/r.build.log", kOther}});
  const auto found = discover({.path = "run"}, files);
  EXPECT_THAT(used_files(found),
              ElementsAre("run/r.graph.json", "run/r.profile.json", "run/r.timing.json",
                          "run/r.build.metadata.json", "run/r.profile.metadata.json"));
  EXPECT_EQ(found->engine_name, "r");
  EXPECT_EQ(evidence_of(*found, "run/r.graph.json"), "the only layer file here");
  EXPECT_EQ(evidence_of(*found, "run/r.profile.json"), "same name");
  EXPECT_EQ(evidence_of(*found, "run/r.build.log"), "not recognized");
  EXPECT_THAT(used_files(discover({.path = "run/"}, files)), ::testing::SizeIs(5));
  EXPECT_THAT(used_files(discover({.path = "run/r"}, files)), ::testing::SizeIs(5));
}

TEST(Discover, ALogCanStandAlone) {
  const auto files =
      test::memory_files({{"run/r.graph.json", kOneLayer}, {"run/r.build.log", kLog}});
  EXPECT_THAT(used_files(discover({.path = "run"}, files)),
              ElementsAre("run/r.graph.json", "run/r.build.log"));
  const auto alone = test::memory_files({{"run/a.log", kLog}});
  EXPECT_THAT(used_files(discover({.path = "run"}, alone)), ElementsAre("run/a.log"));
}

// If two logs differ only in the extension, each is an engine, and the one that is named is shown,
// however its name sorts. planex leaves such a log when an engine could not be built; the files
// beside it are from an earlier run.
TEST(Discover, TheLogOfAFailedBuildIsReadWhereItIsNamed) {
  const auto files = test::memory_files(
      {{"run/r.graph.json", kOneLayer}, {"run/r.failed.log", kLog}, {"other/r.failed.log", kLog}});
  const auto found = discover({.path = "run"}, files);
  EXPECT_THAT(used_files(found), ElementsAre("run/r.graph.json"));
  EXPECT_THAT(evidence_of(*found, "run/r.failed.log"), HasSubstr("could not be built"));
  EXPECT_THAT(used_files(discover({.path = "other/r.failed.log"}, files)),
              ElementsAre("other/r.failed.log"));
  const auto none = discover({.path = "other"}, files);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().context, HasSubstr("could not be built"));
}

TEST(Discover, TheLogThatIsNamedIsTheEngine) {
  const auto files = test::memory_files({{"run/result.log", kLog}, {"run/result.txt", kLog}});
  for (const std::string path : {"run/result.log", "run/result.txt"}) {
    const auto found = discover({.path = path}, files);
    EXPECT_THAT(used_files(found), ElementsAre(path));
    EXPECT_EQ(evidence_of(*found, path), "named by you");
  }
  EXPECT_EQ(evidence_of(*discover({.path = "run/result.txt"}, files), "run/result.log"),
            "from another engine");
  EXPECT_THAT(discover({.path = "run"}, files).error().message,
              HasSubstr("there are 2 engines here"));
  // Logs whose names say what they are of go together.
  const auto parts = test::memory_files({{"run/a.build.log", kLog}, {"run/a.profile.log", kLog}});
  EXPECT_THAT(used_files(discover({.path = "run/a.profile.log"}, parts)), ::testing::SizeIs(2));
}

constexpr std::string_view kTrace =
    R"([{"cat": "Session", "ph": "X", "name": "model_run", "dur": 1, "ts": 1, "args": {}}])";
// A graph of one Relu.
constexpr std::string_view kModel = "\x08\x08\x3a\x08\x0a\x06\x22\x04Relu";

TEST(Discover, TheModelThatRanLiesBesideATrace) {
  auto files = test::memory_files({{"run/net_2026-11-21_16-40-59_928.json", kTrace},
                                   {"run/net.onnx", kModel},
                                   {"run/net.optimized.onnx", kModel}});
  const auto found = discover({.path = "run"}, files);
  EXPECT_THAT(used_files(found),
              ElementsAre("run/net_2026-11-21_16-40-59_928.json", "run/net.optimized.onnx"));
  EXPECT_EQ(found->engine_name, "net");
  EXPECT_THAT(used_files(discover({.path = "run/net.onnx"}, files)),
              ElementsAre("run/net_2026-11-21_16-40-59_928.json", "run/net.onnx"));
  // The only model beside the only trace, whatever their names.
  files = test::memory_files(
      {{"run/onnxruntime_profile__2026-11-21_16-40-59.json", kTrace}, {"run/model.onnx", kModel}});
  EXPECT_THAT(used_files(discover({.path = "run"}, files)), ::testing::SizeIs(2));
  EXPECT_EQ(discover({.path = "run"}, files)->engine_name, "run");
}

// Nothing is compiled from it: only the model itself can be shown.
TEST(Discover, AModelAloneIsShownAsItIs) {
  const auto files = test::memory_files({{"m/net.onnx", kModel},
                                         {"m/net.optimized.onnx", kModel},
                                         {"m/bad.onnx", "hello"},
                                         {"x/times.json", kTimes}});
  EXPECT_THAT(used_files(discover({.path = "m/net.onnx"}, files)), ElementsAre("m/net.onnx"));
  EXPECT_THAT(used_files(discover({.path = "m"}, files)), ElementsAre("m/net.onnx"));
  EXPECT_THAT(*engine_paths("m/net.onnx", files), ElementsAre("m/net.onnx"))
      << "as dropped on a page";
  EXPECT_THAT(discover({.path = "m/bad.onnx"}, files).error().message,
              HasSubstr("nor a valid ONNX model"));
  // Times are an engine's.
  const auto error = discover({.path = "m/net.onnx", .times = "x/times.json"}, files).error();
  EXPECT_THAT(error.message, HasSubstr("a model, not an engine"));
  EXPECT_THAT(error.hint, HasSubstr("`planex process m/net.onnx -o DIR`"));
  // Of several models none is chosen, and among engines with other names it belongs to none of
  // them.
  const auto several = test::memory_files({{"m/net.onnx", kModel},
                                           {"m/two.onnx", kModel},
                                           {"e/net.onnx", kModel},
                                           {"e/net.times.json", kTimes},
                                           {"e/a.graph.json", kOneLayer},
                                           {"e/b.graph.json", kOneLayer}});
  EXPECT_THAT(discover({.path = "m"}, several).error().context, HasSubstr("m/net.onnx: source"));
  EXPECT_THAT(used_files(discover({.path = "e/net.onnx"}, several)), ElementsAre("e/net.onnx"))
      << "times beside it are of no model";
}

TEST(Discover, ContentDecidesNotTheName) {
  const auto files = test::memory_files(
      {{"run/layers.log", kOneLayer}, {"run/b.txt", kOneLayerProfile}, {"run/c.dat", kTimes}});
  EXPECT_THAT(used_files(discover({.path = "run"}, files)),
              ElementsAre("run/layers.log", "run/b.txt", "run/c.dat"));
}

TEST(Discover, AGraphFileFindsItsSiblings) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/a.profile.json", kOneLayerProfile},
                                         {"run/b.graph.json", kOneLayer},
                                         {"run/b.profile.json", kOneLayerProfile},
                                         {"run/b.times.json", kTimes}});
  const auto b = discover({.path = "run/b.graph.json"}, files);
  EXPECT_THAT(used_files(b),
              ElementsAre("run/b.graph.json", "run/b.profile.json", "run/b.times.json"));
  EXPECT_EQ(evidence_of(*b, "run/b.graph.json"), "named by you");
  EXPECT_EQ(evidence_of(*b, "run/a.profile.json"), "from another engine");
  EXPECT_THAT(used_files(discover({.path = "run/a.graph.json"}, files)),
              ElementsAre("run/a.graph.json", "run/a.profile.json"));
}

TEST(Discover, AProfileFindsItsGraph) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/a.profile.json", kOneLayerProfile},
                                         {"run/b.graph.json", kOneLayer},
                                         {"run/b.profile.json", kOneLayerProfile}});
  EXPECT_THAT(used_files(discover({.path = "run/b.profile.json"}, files)),
              ElementsAre("run/b.graph.json", "run/b.profile.json"));
  // It has another name, but the graph is the only one here.
  const auto single = test::memory_files({{"run/layerinfo.json", kOneLayer},
                                          {"run/first.json", kOneLayerProfile},
                                          {"run/second.json", kOneLayerProfile}});
  EXPECT_THAT(used_files(discover({.path = "run/second.json"}, single)),
              ElementsAre("run/layerinfo.json", "run/second.json"));
}

TEST(Discover, SeveralEnginesAreListed) {
  const auto files =
      test::memory_files({{"run/a.graph.json", kOneLayer}, {"run/b.graph.json", kOneLayer}});
  for (const char* path : {"run", "run/"}) {
    const auto found = discover({.path = path}, files);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kUsage);
    EXPECT_EQ(found.error().message, "there are 2 engines here; name one of them");
    EXPECT_THAT(found.error().context, HasSubstr("run/a.graph.json"));
    EXPECT_THAT(found.error().context, HasSubstr("run/b.graph.json"));
    EXPECT_THAT(found.error().hint, HasSubstr("run/a.graph.json"));
  }
  EXPECT_THAT(used_files(discover({.path = "run", .graph = "run/b.graph.json"}, files)),
              ElementsAre("run/b.graph.json"));
}

TEST(Discover, ACommonPrefix) {
  const auto files = test::memory_files({{"run/resnet18.graph.json", kOneLayer},
                                         {"run/resnet18.profile.json", kOneLayerProfile},
                                         {"run/yolo.graph.json", kOneLayer}});
  EXPECT_THAT(used_files(discover({.path = "run/resnet"}, files)),
              ElementsAre("run/resnet18.graph.json", "run/resnet18.profile.json"));
  EXPECT_THAT(used_files(discover({.path = "run/y"}, files)), ElementsAre("run/yolo.graph.json"));
  const auto top = test::memory_files({{"resnet.graph.json", kOneLayer}});
  EXPECT_THAT(used_files(discover({.path = "resnet"}, top)), ElementsAre("resnet.graph.json"));
}

TEST(Discover, NothingThere) {
  const auto files = test::memory_files(
      {{"run/a.graph.json", kOneLayer}, {"logs/a.log", kOther}, {"times/a.times.json", kTimes}});
  for (const char* path : {"none", "run/x", "none/x"}) {
    const auto found = discover({.path = path}, files);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().code, ErrorCode::kNotFound) << path;
    EXPECT_EQ(found.error().file, path);
  }
  const auto no_engine = discover({.path = "logs"}, files);
  ASSERT_FALSE(no_engine);
  EXPECT_EQ(no_engine.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(no_engine.error().context, HasSubstr("1 file read, none recognized"));
  EXPECT_FALSE(no_engine.error().hint.empty());
  const auto only_times = discover({.path = "times"}, files);
  ASSERT_FALSE(only_times);
  EXPECT_THAT(only_times.error().context, HasSubstr("times/a.times.json: times of inferences"));
}

TEST(Discover, AFileOfUnknownKindIsReadAsALayerFile) {
  const auto files = test::memory_files({{"run/a.log", kOther}});
  EXPECT_THAT(used_files(discover({.path = "run/a.log"}, files)), ElementsAre("run/a.log"));
  // Its reader then says what is wrong.
  const auto model = load({.path = "run/a.log"}, files);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(model.error().message, HasSubstr("it begins with \"Output of"));
}

TEST(Discover, NamedFilesReplaceFoundOnes) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/a.profile.json", kOneLayerProfile},
                                         {"run/a.times.json", kTimes},
                                         {"run/a.metadata.json", kMetadata},
                                         {"else/p", kOneLayerProfile},
                                         {"else/t", kTimes},
                                         {"else/m", kMetadata},
                                         {"else/g", kOneLayer}});
  const auto found = discover(
      {.path = "run", .profile = "else/p", .times = "else/t", .metadata = "else/m"}, files);
  EXPECT_THAT(used_files(found), ElementsAre("run/a.graph.json", "else/p", "else/t", "else/m"));
  EXPECT_EQ(evidence_of(*found, "else/p"), "named by --profile");
  EXPECT_EQ(evidence_of(*found, "else/t"), "named by --times");
  EXPECT_EQ(evidence_of(*found, "else/m"), "named by --metadata");
  EXPECT_THAT(used_files(discover({.path = "run", .graph = "else/g"}, files)),
              ElementsAre("else/g"));
}

TEST(Discover, ANamedFileThatIsMissingIsAnError) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer}});
  for (const LoadRequest& request :
       {LoadRequest{.path = "run", .graph = "none"}, LoadRequest{.path = "run", .profile = "none"},
        LoadRequest{.path = "run", .times = "none"},
        LoadRequest{.path = "run", .metadata = "none"}}) {
    const auto found = discover(request, files);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(found.error().file, "none");
  }
}

TEST(Discover, ANamedFileOfTheWrongKindIsReadAsNamed) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer}, {"run/t", kTimes}});
  const auto found = discover({.path = "run/a.graph.json", .profile = "run/t"}, files);
  EXPECT_THAT(used_files(found), ElementsAre("run/a.graph.json", "run/t"));
  for (const FoundFile& file : found->files) {
    EXPECT_TRUE(file.path != "run/t" || file.reader->part == Part::kProfile);
  }
}

TEST(Discover, OfTwoProfilesTheFirstIsTakenAndTheOtherNamed) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/x.json", kOneLayerProfile},
                                         {"run/y.json", kOneLayerProfile}});
  const auto found = discover({.path = "run"}, files);
  EXPECT_THAT(used_files(found), ElementsAre("run/a.graph.json", "run/x.json"));
  EXPECT_EQ(evidence_of(*found, "run/x.json"), "has the same layers");
  EXPECT_EQ(evidence_of(*found, "run/y.json"), "left out: run/x.json is used instead");
}

TEST(Discover, SaysOfEachKindWhyItIsUsed) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/p.json", kOneLayerProfile},
                                         {"run/t.json", kTimes},
                                         {"run/m.json", kMetadata},
                                         {"run/l.log", kLog},
                                         {"run/net.onnx", kModel}});
  const auto found = discover({.path = "run"}, files);
  EXPECT_THAT(used_files(found), ::testing::SizeIs(6));
  EXPECT_EQ(evidence_of(*found, "run/p.json"), "has the same layers");
  EXPECT_EQ(evidence_of(*found, "run/t.json"), "the only times file here");
  EXPECT_EQ(evidence_of(*found, "run/m.json"), "the only metadata file here");
  EXPECT_EQ(evidence_of(*found, "run/l.log"), "the only log here");
  EXPECT_EQ(evidence_of(*found, "run/net.onnx"), "the only model here");
  const auto alone = [](std::string_view content) {
    const auto one = test::memory_files({{"run/x", content}});
    return evidence_of(*discover({.path = "run"}, one), "run/x");
  };
  EXPECT_EQ(alone(kOneLayerProfile), "the only profile here, without a layer file");
  EXPECT_EQ(alone(kLog), "the only log here, without a layer file");
}

TEST(Discover, NamesTheEngine) {
  const auto name_of = [](const std::string& path, std::optional<std::string> given = {}) {
    const auto files = test::memory_files({{path, kOneLayer}});
    const auto found = discover({.path = path, .name = std::move(given)}, files);
    return found ? found->engine_name : "(error)";
  };
  EXPECT_EQ(name_of("run/resnet.onnx.engine.graph.json"), "resnet.onnx.engine");
  EXPECT_EQ(name_of("run/resnet.json"), "resnet");
  EXPECT_EQ(name_of("run/resnet"), "resnet");
  EXPECT_EQ(name_of("_run_on_acc_0_engine_layer_information.json"), "_run_on_acc_0_engine");
  // Names that say nothing: the folder's name is used.
  EXPECT_EQ(name_of("controlnet/layerinfo.json"), "controlnet");
  EXPECT_EQ(name_of("controlnet/Layers.json"), "controlnet");
  EXPECT_EQ(name_of("run/graph.json"), "run");
  EXPECT_EQ(name_of("layers.json"), "layers");
  EXPECT_EQ(name_of("./layers.json"), "layers");
  EXPECT_EQ(name_of("run/layers.json", "given"), "given");
}

TEST(Discover, AnyFileOfAFolderWithManyFiles) {
  base::MemoryFiles files;
  for (int i = 0; i < 3'000; ++i) files.add("run/f" + std::to_string(10'000 + i), kOther);
  files.add("run/z.graph.json", kOneLayer);
  EXPECT_THAT(used_files(discover({.path = "run/z.graph.json"}, files)),
              ElementsAre("run/z.graph.json"));
}

class DiscoverOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "planex-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write("a.graph.json", kOneLayer);
    write("a.profile.json", kOneLayerProfile);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ + "/" + name) << content;
  }
  std::string folder_;
};

TEST_F(DiscoverOnDisk, FilesUnderAnotherSpelling) {
  for (const std::string& path :
       {folder_ + "/a.graph.json", folder_ + "//a.graph.json", folder_ + "/./a.graph.json",
        folder_ + "/../" + std::string(base::file_name_of(folder_)) + "/a.graph.json"}) {
    const auto found = discover({.path = path}, base::disk());
    EXPECT_THAT(used_files(found), ::testing::SizeIs(2)) << path;
  }
  // The same file named twice is one file.
  const auto found = discover({.path = folder_, .graph = folder_ + "//a.graph.json"}, base::disk());
  EXPECT_THAT(used_files(found),
              ElementsAre(folder_ + "//a.graph.json", folder_ + "/a.profile.json"));
}

TEST_F(DiscoverOnDisk, FilesOfTheWorkingFolder) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_THAT(used_files(discover({.path = "a.graph.json"}, base::disk())),
              ElementsAre("a.graph.json", "a.profile.json"));
  EXPECT_THAT(used_files(discover({.path = "."}, base::disk())),
              ElementsAre("./a.graph.json", "./a.profile.json"));
  EXPECT_THAT(used_files(discover({.path = "a"}, base::disk())),
              ElementsAre("a.graph.json", "a.profile.json"));
  std::filesystem::current_path(before);
}

TEST_F(DiscoverOnDisk, RealFoldersOpen) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& path : test::all_engine_folders(data)) {
    const auto found = discover({.path = path}, base::disk());
    if (found) continue;
    // Of several engines, or of none: there must be an answer, with a hint.
    EXPECT_TRUE(found.error().code == ErrorCode::kBadInput ||
                found.error().code == ErrorCode::kUsage)
        << path;
    EXPECT_FALSE(found.error().hint.empty()) << path;
  }
}

std::vector<std::string> engines_at(const base::FileSource& files, const std::string& path) {
  const auto paths = engine_paths(path, files);
  if (!paths) ADD_FAILURE() << test::to_text(paths.error());
  return paths ? *paths : std::vector<std::string>();
}

TEST(EnginePaths, AFolderThatIsOneEngine) {
  const auto files = test::memory_files({{"run/r.graph.json", kOneLayer},
                                         {"run/r.profile.json", kOneLayerProfile},
                                         {"run/notes.txt", kOther},
                                         {"run/deeper/x.graph.json", kOneLayer}});
  EXPECT_THAT(engines_at(files, "run"), ElementsAre("run"));
  EXPECT_THAT(engines_at(files, "run/deeper"), ElementsAre("run/deeper"));
}

TEST(EnginePaths, AFolderOfSeveral) {
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/b.graph.json", kOneLayer},
                                         {"run/b.profile.json", kOneLayerProfile}});
  EXPECT_THAT(engines_at(files, "run"), ElementsAre("run/a.graph.json", "run/b.graph.json"));
  EXPECT_THAT(engines_at(files, "run/b.graph.json"), ElementsAre("run/b.graph.json"));
}

TEST(EnginePaths, AFolderOfNone) {
  const auto files = test::memory_files({{"run/notes.txt", kOther}, {"run/t.json", kTimes}});
  EXPECT_THAT(engines_at(files, "run"), ElementsAre());
  EXPECT_FALSE(engine_paths("none", files).has_value());
}

}  // namespace
}  // namespace planex::ingest
