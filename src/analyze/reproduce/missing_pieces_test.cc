// Commands per version and producer, and what is missing for which engine.
#include "analyze/reproduce/missing_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "analyze/reproduce/engine_commands.h"
#include "model/builder.h"
#include "support/test_data.h"
#include "trtexec/flags.h"

namespace planex::analyze {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct PieceFacts {
  std::string_view producer = "tensorrt", version, detail = "full", name = "resnet";
  // Kind and path, the engine's own first.
  std::vector<std::pair<std::string_view, std::string_view>> files = {
      {"tensorrt-graph", "run/resnet.graph.json"}};
  // Section, key, value.
  std::vector<std::array<std::string_view, 3>> metadata;
  bool is_timed = false;
};

model::PlanModel engine_of_pieces(const PieceFacts& facts) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  model::EngineTable& engine = builder.model().engine;
  engine.producer.set(0, strings.intern(facts.producer));
  if (!facts.version.empty()) engine.producer_version.set(0, strings.intern(facts.version));
  engine.detail.set(0, strings.intern(facts.detail));
  engine.name.set(0, strings.intern(facts.name));
  for (const auto& [kind, path] : facts.files) builder.add_file(path, kind, "", 1);
  for (const auto& [section, key, value] : facts.metadata) {
    builder.add_metadata(section, key, value, "x.log");
  }
  const model::LayerId layer = builder.add_layer(strings.add("conv"));
  builder.model().layers.role.set(layer.index(), model::Role::kWork);
  if (facts.is_timed) {
    builder.model().layers.median_ms.set(layer.index(), 1.0);
    builder.model().iterations.compute_ms.set(builder.model().iterations.add_row(), 1.0);
  }
  return builder.finish();
}

std::vector<std::string> ids(const std::vector<MissingPiece>& pieces) {
  std::vector<std::string> result;
  for (const MissingPiece& piece : pieces) result.emplace_back(piece.id);
  return result;
}

std::string command(const PieceFacts& facts, std::string_view id) {
  for (const MissingPiece& piece : missing_pieces(engine_of_pieces(facts))) {
    if (piece.id == id) return piece.command;
  }
  return "(not missing)";
}

TEST(TensorrtVersions, AreRead) {
  const auto span = trtexec::parse_tensorrt_versions("8.2–8.4");
  EXPECT_EQ(span.first, (trtexec::TensorrtVersion{8, 2}));
  EXPECT_EQ(span.last, (trtexec::TensorrtVersion{8, 4}));
  EXPECT_EQ(trtexec::parse_tensorrt_versions("8.5").last, (trtexec::TensorrtVersion{8, 5}));
  EXPECT_EQ(trtexec::parse_tensorrt_versions("10.14.1").first, (trtexec::TensorrtVersion{10, 14}));
  EXPECT_EQ(trtexec::parse_tensorrt_versions("8.6.1.6").last, (trtexec::TensorrtVersion{8, 6}));
  EXPECT_EQ(trtexec::parse_tensorrt_versions("8.6+").last, std::nullopt);
  EXPECT_EQ(trtexec::parse_tensorrt_versions("11+").first, (trtexec::TensorrtVersion{11, 0}));
  EXPECT_GT(trtexec::parse_tensorrt_versions("10.x").last, (trtexec::TensorrtVersion{10, 16}));
  EXPECT_LT(trtexec::parse_tensorrt_versions("10.x").last, (trtexec::TensorrtVersion{11, 0}));
  for (const std::string_view odd : {"", "x", "–", "+", "99999999999999999999"}) {
    EXPECT_EQ(trtexec::parse_tensorrt_versions(odd).first, (trtexec::TensorrtVersion{})) << odd;
    EXPECT_EQ(trtexec::parse_tensorrt_versions(odd).last, std::nullopt) << odd;
  }
}

TEST(TrtexecFlags, HaveTheirLifetimes) {
  const auto has = [](std::string_view flag, std::string_view version) {
    return trtexec::has_effect(flag, trtexec::parse_tensorrt_versions(version));
  };
  for (const std::string_view version : {"8.2–8.4", "8.5", "8.6+", "10.16", "11+", ""}) {
    EXPECT_TRUE(has("profilingVerbosity", version)) << version;
    EXPECT_TRUE(has("exportLayerInfo", version)) << version;
    EXPECT_EQ(has("separateProfileRun", version), version != "11+") << version;
    EXPECT_EQ(has("useCudaGraph", version), version != "11+") << version;
    EXPECT_EQ(has("noDataTransfers", version), version != "11+") << version;
    EXPECT_EQ(has("useSpinWait", version), version != "11+") << version;
    EXPECT_EQ(has("noCudaGraph", version), version == "11+") << version;
    EXPECT_EQ(has("skipInference", version),
              version == "8.6+" || version == "10.16" || version == "11+")
        << version;
    EXPECT_EQ(has("buildOnly", version), version == "8.2–8.4" || version == "8.5") << version;
    EXPECT_EQ(has("explicitBatch", version), version == "8.2–8.4" || version == "8.5") << version;
    EXPECT_FALSE(has("noSuchFlag", version));
  }
  EXPECT_FALSE(has("profilingVerbosity", "8.0"));
  EXPECT_FALSE(has("profilingVerbosity", "7.2"));
  EXPECT_TRUE(std::ranges::is_sorted(trtexec::trtexec_flags(), {}, &trtexec::TrtexecFlag::name));
}

TEST(MissingPieces, CommandsFitTheVersion) {
  for (const std::string_view version : {"8.2–8.4", "8.5", "8.6+", "10.14.1", ""}) {
    EXPECT_EQ(command({.version = version}, "profile"),
              "trtexec --loadEngine=resnet.engine --separateProfileRun "
              "--exportProfile=run/resnet.profile.json")
        << version;
    EXPECT_EQ(command({.version = version}, "times"),
              "trtexec --loadEngine=resnet.engine --noDataTransfers --useCudaGraph --useSpinWait "
              "--exportTimes=run/resnet.times.json")
        << version;
  }
  EXPECT_EQ(command({.version = "11+"}, "profile"),
            "trtexec --loadEngine=resnet.engine --noCudaGraph "
            "--exportProfile=run/resnet.profile.json");
  EXPECT_EQ(command({.version = "11.1"}, "times"),
            "trtexec --loadEngine=resnet.engine --exportTimes=run/resnet.times.json");
}

// Whatever is missing, no command has an option that the engine's own trtexec does not know.
TEST(MissingPieces, NoCommandHasAnOptionThatItsVersionLacks) {
  for (const std::string_view version :
       {"7.2.1", "8.0.3", "8.2.3", "8.4.1", "8.5", "8.6.1", "10.16.0", "11+"}) {
    for (const std::string_view detail : {"full", "names-only", "log", "no-layers", "failed"}) {
      for (const std::string_view kind : {"tensorrt-graph", "tensorrt-log"}) {
        const PieceFacts engine{
            .version = version, .detail = detail, .files = {{kind, "run/resnet.x"}}};
        for (const MissingPiece& piece : missing_pieces(engine_of_pieces(engine))) {
          if (!piece.command.starts_with("trtexec") || !piece.place.empty()) continue;
          for (const std::string& word : trtexec::split_command(piece.command)) {
            if (!word.starts_with("--") || word == "--verbose") continue;
            const std::string name = word.substr(2, word.find('=') - 2);
            EXPECT_TRUE(trtexec::has_effect(name, trtexec::parse_tensorrt_versions(version)))
                << version << " " << detail << ": " << piece.command;
          }
        }
      }
    }
  }
  // What a version can't record comes from a newer one.
  const PieceFacts old{
      .version = "8.0.3", .detail = "log", .files = {{"tensorrt-log", "run/resnet.log"}}};
  const std::vector<MissingPiece> pieces = missing_pieces(engine_of_pieces(old));
  EXPECT_EQ(pieces.front().place, "with TensorRT 8.2 or newer");
  EXPECT_THAT(pieces.front().command, HasSubstr("--exportLayerInfo="));
}

TEST(MissingPieces, NamesOnlyIsRebuilt) {
  const PieceFacts engine{.version = "8.5", .detail = "names-only"};
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec --onnx=MODEL.onnx --saveEngine=resnet.engine --profilingVerbosity=detailed "
            "--exportLayerInfo=run/resnet.graph.json");
  EXPECT_THAT(ids(missing_pieces(engine_of_pieces(engine))),
              ElementsAre("layer-details", "profile", "times"));
}

TEST(MissingPieces, RebuildsWithTheOptionsOfTheBuild) {
  const PieceFacts engine{
      .version = "10.16.1",
      .detail = "names-only",
      .metadata = {{"command", "trtexec",
                    "/opt/trt/bin/trtexec --onnx=models/a.onnx --fp16 --memPoolSize=workspace:4096 "
                    "--saveEngine=out/a.plan --exportTimes=t.json --verbose --useCudaGraph"}}};
  EXPECT_EQ(command(engine, "layer-details"),
            "/opt/trt/bin/trtexec --onnx=models/a.onnx --fp16 --memPoolSize=workspace:4096 "
            "--saveEngine=out/a.plan --profilingVerbosity=detailed "
            "--exportLayerInfo=run/resnet.graph.json");
  EXPECT_THAT(command(engine, "profile"), HasSubstr("--loadEngine=out/a.plan "));
}

TEST(MissingPieces, TakesNamesFromTheOptions) {
  const PieceFacts engine{.version = "8.2–8.4",
                          .detail = "names-only",
                          .metadata = {{"model_options", "Model", "dir/my model.onnx"},
                                       {"build_options", "Precision", "FP32+FP16+INT8"},
                                       {"build_options", "Save engine", "dir/e.engine"}}};
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec '--onnx=dir/my model.onnx' --fp16 --int8 --saveEngine=dir/e.engine "
            "--profilingVerbosity=detailed --exportLayerInfo=run/resnet.graph.json");
}

TEST(MissingPieces, TextOfFilesCantBecomeACommand) {
  const PieceFacts engine{
      .detail = "names-only",
      .name = "a; rm -rf x",
      .files = {{"tensorrt-log", "run/x"}},
      .metadata = {{"command", "trtexec", "trtexec --onnx=$(touch${IFS}x).onnx --x=`id` | sh"}}};
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec '--onnx=$(touch${IFS}x).onnx' '--x=`id`' '|' sh '--saveEngine=a; rm -rf "
            "x.engine' --profilingVerbosity=detailed '--exportLayerInfo=run/a; rm -rf "
            "x.graph.json'");
  EXPECT_THAT(onnxruntime_run("a\"); import os; (\"", "n'"),
              AllOf(HasSubstr("\"a\\\"); import os; (\\\"\""), HasSubstr("n'\\''")));
}

TEST(MissingPieces, AnotherLayerFileWouldBeAnotherEngine) {
  EXPECT_THAT(command({.detail = "names-only",
                       .files = {{"tensorrt-graph", "run/layers.txt"}, {"tensorrt-log", "run/b"}}},
                      "layer-details"),
              HasSubstr(" --exportLayerInfo=run/layers.txt"));
  EXPECT_THAT(command({.detail = "names-only", .files = {{"tensorrt-profile", "run/p.json"}}},
                      "layer-details"),
              HasSubstr(" --exportLayerInfo=run/resnet.graph.json"));
}

TEST(MissingPieces, NothingIsWrittenIntoArchives) {
  const auto layer_file = [](std::string_view path) {
    return command({.detail = "names-only", .files = {{"tensorrt-graph", path}}}, "layer-details");
  };
  EXPECT_THAT(layer_file("runs/a.tea/x/l.json"), HasSubstr("=runs/resnet.graph.json"));
  EXPECT_THAT(layer_file("a.zip/l.json"), HasSubstr("exportLayerInfo=resnet.graph.json"));
  EXPECT_THAT(command({.files = {{"tensorrt-graph", "runs/a.zip/l.json"}}}, "profile"),
              HasSubstr("--exportProfile=runs/resnet.profile.json"));
}

TEST(MissingPieces, AnEngineThatWasNotSavedIsBuiltAgain) {
  PieceFacts engine = {.version = "10.14.1",
                       .metadata = {{"command", "trtexec",
                                     "trtexec --onnx=a.onnx --fp16 "
                                     "--skipInference --exportLayerInfo=l.json"}}};
  EXPECT_EQ(command(engine, "profile"),
            "trtexec --onnx=a.onnx --fp16 --saveEngine=resnet.engine "
            "--profilingVerbosity=detailed --exportLayerInfo=run/resnet.graph.json "
            "--separateProfileRun --exportProfile=run/resnet.profile.json");
  EXPECT_THAT(command(engine, "times"), HasSubstr("--loadEngine=resnet.engine "));
  engine.metadata.push_back({"command", "trtexec (build)",
                             "trtexec --onnx=a.onnx "
                             "--saveEngine=a.plan"});
  EXPECT_THAT(command(engine, "profile"), HasSubstr("--loadEngine=a.plan "));
}

TEST(MissingPieces, ALogWithoutLayersMissesThemFirst) {
  PieceFacts engine = {.version = "11.0.0",
                       .detail = "no-layers",
                       .files = {{"tensorrt-log", "run/b.log"}},
                       .metadata = {{"command", "trtexec",
                                     "trtexec --onnx=a.onnx --saveEngine=a.trt "
                                     "--skipInference"}}};
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec --onnx=a.onnx --saveEngine=a.trt --profilingVerbosity=detailed "
            "--exportLayerInfo=run/resnet.graph.json");
  EXPECT_THAT(ids(missing_pieces(engine_of_pieces(engine))),
              ElementsAre("layer-details", "profile", "times"));
  engine.metadata[0][2] = "trtexec --onnx=a.onnx --saveEngine=a.trt --profilingVerbosity=detailed";
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec --loadEngine=a.trt --profilingVerbosity=detailed "
            "--exportLayerInfo=run/resnet.graph.json");
}

TEST(MissingPieces, AnotherProfileHasToBeRun) {
  for (const auto& [version, option] : {std::pair{"10.3.0", " --useProfile=1 "}, {"8.6.1", " "}}) {
    model::PlanModel model = engine_of_pieces({.version = version, .is_timed = true});
    model.engine.profile_index.set(0, 1);
    model.layers.profile_index.set(0, 0);
    const auto pieces = missing_pieces(model);
    ASSERT_EQ(pieces.front().id, "profile");
    EXPECT_THAT(pieces.front().command, HasSubstr("--loadEngine=resnet.engine" +
                                                  std::string(option) + "--separateProfileRun"));
  }
}

TEST(MissingPieces, ShapesOfDynamicInputsAreGiven) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt"));
  builder.model().engine.name.set(0, builder.strings().intern("e"));
  for (const std::string_view name : {"x", "y"}) {
    builder.add_binding(name, model::Direction::kInput);
  }
  model::BindingsTable& table = builder.model().bindings;
  table.dims.set(0, std::vector<std::int64_t>{-1, 3});
  table.profile_opt.set(0, std::vector<std::int64_t>{8, 3});
  table.dims.set(1, std::vector<std::int64_t>{4});
  const auto pieces = missing_pieces(builder.finish());
  EXPECT_THAT(pieces.front().command, HasSubstr(" --shapes=x:8x3 "));
}

// TensorRT-RTX's build of an engine with one input.
std::string rtx_build(const std::vector<std::int64_t>& dims, std::int64_t profile_count) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  builder.model().engine.producer.set(0, strings.intern("tensorrt-rtx"));
  builder.model().engine.detail.set(0, strings.intern("log"));
  builder.model().engine.name.set(0, strings.intern("e"));
  builder.add_binding("x", model::Direction::kInput);
  builder.model().bindings.dims.set(0, dims);
  model::ProfilesTable& profiles = builder.model().profiles;
  for (std::int64_t i = 0; i < profile_count; ++i) {
    const std::size_t row = profiles.add_row();
    profiles.profile_index.set(row, i);
    profiles.binding.set(row, strings.intern("x"));
    profiles.min_dims.set(row, std::vector<std::int64_t>{1, 3});
    profiles.opt_dims.set(row, std::vector<std::int64_t>{4 + i, 3});
    profiles.max_dims.set(row, std::vector<std::int64_t>{8, 3});
  }
  return missing_pieces(builder.finish()).front().command;
}

TEST(MissingPieces, TheBuildOfDynamicInputsHasTheirProfiles) {
  EXPECT_THAT(rtx_build({4, 3}, 0), Not(HasSubstr("profile(")));
  EXPECT_THAT(
      rtx_build({-1, 3}, 2),
      HasSubstr("p=b.create_optimization_profile(); p.set_shape(\"x\", [1,3], [4,3], [8,3]); "
                "c.add_optimization_profile(p); p=b.create_optimization_profile(); "
                "p.set_shape(\"x\", [1,3], [5,3], [8,3]); c.add_optimization_profile(p); "
                "assert b.build"));
  // The network itself provides what is not known.
  EXPECT_THAT(rtx_build({-1, 3}, 0), HasSubstr("if -1 in list(x.shape)]; "));
}

TEST(MissingPieces, TheBuildIsOfTheLogThatHasIt) {
  const PieceFacts engine = {
      .version = "8.6.0",
      .detail = "names-only",
      .files = {{"tensorrt-graph", "run/l.json"}, {"tensorrt-log", "run/1.log"}},
      .metadata = {{"command", "trtexec", "trtexec --loadEngine=./e.plan --shapes=x:4"},
                   {"command", "trtexec (build)",
                    "trtexec --onnx=m.onnx --minShapes=x:1 --fp16 --saveEngine=e.plan"}}};
  EXPECT_EQ(command(engine, "layer-details"),
            "trtexec --onnx=m.onnx --minShapes=x:1 --fp16 --saveEngine=e.plan "
            "--profilingVerbosity=detailed --exportLayerInfo=run/l.json");
  EXPECT_THAT(command(engine, "profile"), HasSubstr("--loadEngine=e.plan --shapes=x:4 "));
}

TEST(MissingPieces, LogsAndModelsAreOptional) {
  const auto pieces = missing_pieces(engine_of_pieces(
      {.version = "10.16.1", .files = {{"tensorrt-log", "a.log"}}, .is_timed = true}));
  EXPECT_THAT(ids(pieces), ElementsAre("layer-information", "source-model"));
  for (const MissingPiece& piece : pieces) EXPECT_TRUE(piece.is_optional) << piece.id;
  EXPECT_EQ(pieces[0].command,
            "trtexec --loadEngine=resnet.engine --exportLayerInfo=resnet.graph.json");
  EXPECT_EQ(pieces[1].command, "planex summary a.log --model MODEL.onnx");
  EXPECT_THAT(
      ids(missing_pieces(engine_of_pieces(
          {.files = {{"tensorrt-graph", "a.json"}, {"onnx", "a.onnx"}}, .is_timed = true}))),
      ElementsAre());
}

TEST(MissingPieces, AFailedBuildMissesOnlyItsEngine) {
  const PieceFacts engine{.detail = "failed",
                          .files = {{"tensorrt-log", "logs/a.log"}},
                          .metadata = {{"command", "trtexec", "trtexec --onnx=a.onnx --int8"}}};
  const auto pieces = missing_pieces(engine_of_pieces(engine));
  EXPECT_THAT(ids(pieces), ElementsAre("engine"));
  EXPECT_EQ(pieces[0].command,
            "trtexec --onnx=a.onnx --int8 --saveEngine=resnet.engine --profilingVerbosity=detailed "
            "--verbose > logs/resnet.build.log 2>&1");
  PieceFacts rtx = engine;
  rtx.producer = "tensorrt-rtx";
  EXPECT_THAT(command(rtx, "engine"),
              AllOf(HasSubstr("import tensorrt_rtx"), HasSubstr("parse_from_file(\"a.onnx\")"),
                    HasSubstr("ProfilingVerbosity.DETAILED"),
                    testing::EndsWith(" > logs/resnet.build.log 2>&1")));
}

TEST(MissingPieces, EveryProducerHasItsOwnTools) {
  for (const std::string_view detail : {"names-only", "log"}) {
    EXPECT_THAT(command({.producer = "tensorrt-rtx", .detail = detail}, "layer-details"),
                HasSubstr("import tensorrt_rtx"));
  }
  EXPECT_EQ(command({.producer = "tensorrt-rtx"}, "times"),
            "tensorrt_rtx --onnx=MODEL.onnx --exportTimes=run/resnet.times.json");
  for (const MissingPiece& piece : missing_pieces(engine_of_pieces({.producer = "tensorrt-rtx"}))) {
    if (piece.is_optional) continue;
    EXPECT_THAT(piece.consequence, HasSubstr("GPU")) << piece.id;
  }
  EXPECT_THAT(command({.producer = "onnxruntime"}, "times"),
              AllOf(HasSubstr("enable_profiling=True"), Not(HasSubstr("trtexec"))));
  EXPECT_EQ(command({.producer = "openvino", .files = {{"openvino-graph", "a.json"}}}, "profile"),
            "planex process MODEL.onnx -o DIR");
  EXPECT_EQ(
      command({.producer = "openvino", .files = {{"openvino-exec-graph", "d/a.xml"}}}, "profile"),
      "benchmark_app -m MODEL.onnx -hint latency -report_type detailed_counters "
      "-report_folder d");
  EXPECT_EQ(
      command({.producer = "openvino", .files = {{"openvino-exec-graph", "d/a.xml"}}}, "times"),
      "planex process MODEL.onnx -o DIR");
}

TEST(MissingPieces, DynamicInputsOfRtxHaveShapes) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt-rtx"));
  builder.model().engine.detail.set(0, builder.strings().intern("full"));
  builder.add_binding("x", model::Direction::kInput);
  builder.model().bindings.dims.set(0, std::vector<std::int64_t>{-1, 128});
  builder.model().bindings.profile_opt.set(0, std::vector<std::int64_t>{8, 128});
  for (const MissingPiece& piece : missing_pieces(builder.finish())) {
    if (piece.is_optional) continue;
    EXPECT_THAT(piece.command, HasSubstr("tensorrt_rtx --onnx=MODEL.onnx --shapes=x:8x128 "));
    EXPECT_EQ(piece.place, "on a machine with a GPU");
  }
}

TEST(MissingPieces, EnginesOfTorchHaveToBeTakenOutFirst) {
  PLANEX_NEED_TEST_DATA(data);
  const auto pieces =
      missing_pieces(test::must(test::load_engine(data, "alexnet-torch-tensorrt-10")));
  ASSERT_EQ(pieces.front().id, "profile");
  EXPECT_THAT(pieces.front().consequence, HasSubstr("serialized_engine"));
}

TEST(MissingPieces, RunsOfBenchmarkAppAreRepeated) {
  const PieceFacts engine = {
      .producer = "openvino",
      .files = {{"openvino-exec-graph", "d/a.xml"}},
      .metadata = {{"command line parameters", "-m", "m/net.onnx"},
                   {"command line parameters", "-infer_precision", "bf16"},
                   {"command line parameters", "-nthreads", "2"},
                   {"command line parameters", "-report_type", "no_counters"},
                   {"command line parameters", "-json_stats", ""}}};
  EXPECT_EQ(command(engine, "profile"),
            "benchmark_app -m m/net.onnx -infer_precision bf16 -nthreads 2 -json_stats "
            "-report_type detailed_counters -report_folder d");
  EXPECT_EQ(command(engine, "times"),
            "planex process m/net.onnx -o DIR -- --precision bf16 --threads 2");
}

TEST(MissingPieces, CountersAloneMissTheirGraph) {
  const PieceFacts engine = {.producer = "openvino",
                             .files = {{"openvino-counters", "benchmark_report.csv"}},
                             .is_timed = true};
  EXPECT_EQ(command(engine, "layer-details"),
            "benchmark_app -m MODEL.onnx -hint latency -exec_graph_path exec_graph.xml "
            "-report_type detailed_counters -report_folder .");
}

TEST(MissingPieces, OnlyTensorRtIsToldOfItsFlags) {
  for (const std::string_view producer : {"openvino", "onnxruntime", "other"}) {
    for (const std::string_view detail : {"names-only", "log", "no-layers", "full"}) {
      for (const MissingPiece& piece :
           missing_pieces(engine_of_pieces({.producer = producer, .detail = detail}))) {
        EXPECT_THAT(piece.command, Not(HasSubstr("trtexec"))) << producer << ' ' << detail;
        EXPECT_THAT(piece.command, Not(HasSubstr("profilingVerbosity"))) << producer;
      }
    }
  }
}

TEST(MissingPieces, OfRealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  const auto of = [&](const std::string& name) {
    return missing_pieces(test::must(test::load_engine(data, name)));
  };
  EXPECT_THAT(ids(of("resnet18-a100-qat")), ElementsAre());
  EXPECT_THAT(ids(of("yolo-orin-trt8.5.2-names-only")), ElementsAre("layer-details", "times"));
  EXPECT_THAT(ids(of("mnist-b200-trt11.0-build-log")),
              ElementsAre("layer-details", "profile", "times"));
  EXPECT_THAT(ids(of("rtx1.7-resnet18-names-only")),
              ElementsAre("layer-details", "profile", "times"));
  const auto trt10 = of("resnet18-trt10-fp16");
  for (const MissingPiece& piece : trt10) {
    EXPECT_EQ(piece.id, "source-model");
    EXPECT_THAT(piece.command, HasSubstr(" --model models/resnet18/resnet18_fp16.onnx"));
  }
}

}  // namespace
}  // namespace planex::analyze
