// Handwritten plans: what can be omitted, what is odd, what is wrong. tests/property checks that
// nothing is lost on the way through planex itself.
#include "ingest/planex/plan_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::ingest::planex_files {
namespace {

using model::LayerId;
using model::PlanModel;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<PlanModel> load_plan(std::string_view text) {
  return test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", text}}));
}

// A document around the sections that a test is about.
std::string plan(std::string_view sections) {
  return base::format("{{\"schema\": \"planex.plan/1\", {}}}", sections);
}

PlanModel must_load(std::string_view sections) { return test::must(load_plan(plan(sections))); }

TEST(Plan, LeastThereCanBe) {
  const PlanModel model = must_load(R"("layers": [{"name": "a"}, {"name": "b"}])");
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.text(model.layers.name[1]), "b");
  EXPECT_EQ(model.layers.role[0], model::Role::kWork);
  EXPECT_TRUE(model.layers.family.is_null(0));
  EXPECT_TRUE(model.layers.median_ms.is_null(0));
  EXPECT_EQ(model.text(model.engine.detail[0]), "names-only");
  EXPECT_EQ(model.text(model.engine.name[0]), "x");
  EXPECT_EQ(model.text(model.engine.importer[0]), "planex");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(Plan, ShortFormsAndWhatFollowsFromThem) {
  const PlanModel model = must_load(R"(
      "engine": {"producer": "mycompiler", "producer_version": "1.2"},
      "layers": [
        {"outputs": ["y"], "name": "conv", "type": "Convolution", "sources": ["Conv_0"],
         "median_ms": 0.5, "inputs": [{"tensor": "x", "dims": [1, 3, 8, 8], "dtype": "FP16",
                                       "layout": "NHWC8"}, "w"]},
        {"name": "nothing", "type": "NoOp", "inputs": null}])");
  EXPECT_EQ(model.layers.family[0], model::Family::kConvolution);
  EXPECT_EQ(model.layers.role[1], model::Role::kNoOp);
  EXPECT_EQ(model.layers.precision[0], model::DType::kFp16);
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
  // Inputs come before outputs, wherever the file has them.
  const model::RowRange ports = model.ports_of(LayerId(0));
  ASSERT_EQ(ports.count, 3u);
  EXPECT_EQ(model.ports.direction[0], model::Direction::kInput);
  EXPECT_EQ(model.ports.index[1], 1);
  EXPECT_EQ(model.ports.direction[2], model::Direction::kOutput);
  EXPECT_EQ(model.ports.data_bytes[0], 3 * 64 * 2);
  EXPECT_EQ(model.ports.bytes[0], 8 * 64 * 2) << "channels are padded as the layout says";
  EXPECT_TRUE(model.ports.dims.is_null(1)) << "not known, and not a scalar";
  EXPECT_EQ(model.text(model.sources.op_name[0]), "Conv_0");
  EXPECT_EQ(model.sources.evidence[0], model::Evidence::kMetadata);
}

TEST(Plan, AttributesKeepTypesOrderAndKeys) {
  const PlanModel model = must_load(R"("layers": [{"name": "a", "attributes": {
      "z": "text", "a\"\u0041": 1e400, "list": [1,  2], "o": {"k": null}, "yes": true,
      "none": null, "z": ""}}])");
  std::vector<std::string> seen;
  for (std::size_t row = 0; row < model.attributes.row_count(); ++row) {
    seen.push_back(base::format("{}={}:{}", model.text(model.attributes.key[row]),
                                model.text(model.attributes.value[row]),
                                to_string(model.attributes.value_type[row])));
  }
  EXPECT_THAT(seen, ElementsAre("z=text:string", "a\"A=1e400:number", "list=[1,  2]:array",
                                "o={\"k\": null}:object", "yes=true:boolean", "none=null:null",
                                "z=:string"));
}

TEST(Plan, UnknownKeysAreKept) {
  const PlanModel model = must_load(R"(
      "engine": {"colour": "red"}, "more": {"a": 1},
      "layers": [{"name": "a", "energy_mj": 7, "inputs": [{"tensor": "x", "scale": 0.5}],
                  "sources": [{"op_name": "o", "line": 3}], "share": 0.5}],
      "events": [{"layer_id": 0, "cost": 2}])");
  EXPECT_EQ(model.attribute(LayerId(0), "energy_mj"), "7");
  EXPECT_EQ(model.attribute(LayerId(0), "inputs/0/scale"), "0.5");
  EXPECT_EQ(model.attribute(LayerId(0), "sources/0/line"), "3");
  std::vector<std::string> metadata;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    metadata.push_back(base::format("{}.{}={}", model.text(model.metadata.section[row]),
                                    model.text(model.metadata.key[row]),
                                    model.text(model.metadata.value[row])));
  }
  EXPECT_THAT(metadata,
              ElementsAre("engine.colour=red", "plan.more={\"a\": 1}", "events.0/cost=2"));
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("unknown-key", "unknown-key", "unknown-key", "unknown-key", "unknown-key",
                          "derived-key", "unknown-key"));
  EXPECT_TRUE(model.layers.share.is_null(0)) << "there are no times for it to follow from";
}

TEST(Plan, OddValuesAreLeftOpenAndReported) {
  const PlanModel model = must_load(R"(
      "layers": [{"name": "a", "family": "weird", "role": null, "type": "Convolution",
                  "weight_bytes": -1, "median_ms": -0.5, "macs": null,
                  "inputs": [{"tensor": "x", "dtype": "half", "layout": "ABC", "bytes": -3}]}],
      "tensors": [{"name": "nowhere", "role": "shape"}, {"name": "x", "role": "odd"}])");
  EXPECT_TRUE(model.layers.family.is_null(0));
  EXPECT_EQ(model.layers.role[0], model::Role::kWork);
  EXPECT_TRUE(model.layers.weight_bytes.is_null(0));
  EXPECT_TRUE(model.layers.median_ms.is_null(0));
  EXPECT_TRUE(model.ports.dtype.is_null(0));
  EXPECT_TRUE(model.ports.bytes.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("unknown-word", "negative-number", "negative-number", "unknown-word",
                          "unknown-word", "negative-number", "unknown-tensor", "unknown-word"));
  EXPECT_EQ(model.text(model.diagnostics.json_pointer[3]), "/layers/0/inputs/0/dtype");
}

TEST(Plan, OtherLists) {
  const PlanModel model = must_load(R"(
      "events": [{"layer_id": 1, "kind": "wait", "event_id": 3}],
      "blocks": [{"name": "loop", "kind": "loop"}, {"kind": "branch", "parent_id": 0}],
      "regions": [{"bytes": 64}],
      "tensors": [{"name": "t", "region_id": 0, "offset_bytes": 32, "role": "shape"}],
      "layers": [{"name": "a", "outputs": ["t"], "block_id": 1},
                 {"name": "b", "inputs": ["t"], "stream": 2}],
      "bindings": [{"name": "t", "direction": "output", "dims": []}],
      "profiles": [{"profile_index": 0, "binding": "x", "min_dims": [1], "opt_dims": [2]}],
      "operations": [{"outputs": ["y"], "name": "n", "parameters": {"k": [3]},
                      "inputs": [{"tensor": "x", "dims": [2], "dtype": "FP32"}]}],
      "iterations": {"latency_ms": [1, 2.5], "start_ms": [-1, null]},
      "metadata": [{"key": "k", "value": 3}],
      "diagnostics": [{"code": "odd", "severity": "info", "message": "so it goes"}])");
  EXPECT_EQ(model.events.stream[0], 2) << "that of its layer";
  EXPECT_EQ(model.blocks.layer_count[1], 1);
  EXPECT_EQ(model.blocks.parent_id[1], model::BlockId(0));
  EXPECT_EQ(model.tensors.offset_bytes[0], 32);
  EXPECT_EQ(model.bindings.dims[0].size(), 0u);
  EXPECT_FALSE(model.bindings.dims.is_null(0));
  EXPECT_EQ(model.profiles.opt_dims[0].front(), 2);
  EXPECT_EQ(model.text(model.operations.parameters[0]), R"({"k": [3]})");
  ASSERT_EQ(model.operation_ports.row_count(), 2u);
  EXPECT_EQ(model.operation_ports.direction[0], model::Direction::kInput);
  ASSERT_EQ(model.iterations.row_count(), 2u);
  EXPECT_EQ(model.iterations.index[1], 1);
  EXPECT_EQ(model.iterations.start_ms[0], -1) << "a point in time";
  EXPECT_EQ(model.text(model.metadata.value[0]), "3");
  EXPECT_EQ(model.text(model.metadata.file[0]), "x.json");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("odd"));
}

TEST(Plan, ErrorsNameThePlace) {
  struct Wrong {
    std::string_view sections, pointer, message;
  };
  const Wrong cases[] = {
      {R"("engine": {})", "", "it has no list \"layers\""},
      {R"("layers": {})", "/layers", "is an object, expected a list of layers"},
      {R"("layers": null)", "/layers", "is null"},
      {R"("layers": [3])", "/layers/0", "is 3, expected a layer"},
      {R"("layers": [{"type": "a"}])", "/layers/0/name", "is missing"},
      {R"("layers": [{"name": 3}])", "/layers/0/name", "is 3, expected a text"},
      {R"("layers": [{"name": "a", "median_ms": "1"}])", "/layers/0/median_ms", "a number"},
      {R"("layers": [{"name": "a", "stream": 1.5}])", "/layers/0/stream", "an integer"},
      {R"("layers": [{"name": "a", "inputs": [{"dims": [1]}]}])", "/layers/0/inputs/0/tensor",
       "is missing"},
      {R"("layers": [{"name": "a", "inputs": [{"tensor": "x", "dims": [1, null]}]}])",
       "/layers/0/inputs/0/dims/1", "is null, expected an integer"},
      {R"("layers": [{"name": "a", "inputs": [], "inputs": []}])", "/layers/0/inputs", "repeated"},
      {R"("layers": [{"name": "a", "sources": [{"op_type": "x"}]}])", "/layers/0/sources/0/op_name",
       "is missing"},
      {R"("layers": [{"name": "a", "attributes": []}])", "/layers/0/attributes", "an object"},
      {R"("layers": [{"name": "a", "attributes": {"k": [1 2]}}])", "/layers/0/attributes/k", ""},
      {R"("layers": [{"name": "a", "block_id": 0}])", "/layers/0/block_id", "has 0 records"},
      {R"("layers": [{"name": "a", "block_id": -1}])", "/layers/0/block_id", "position"},
      {R"("layers": [], "blocks": [{"parent_id": 0}])", "/blocks/0/parent_id", "is 0"},
      {R"("layers": [], "events": [{"layer_id": 0}])", "/events/0/layer_id", "has 0 records"},
      {R"("layers": [], "events": [{"kind": "wait"}])", "/events/0/layer_id", "missing"},
      {R"("layers": [{"name": "a"}], "events": [{"layer_id": 0, "target_layer_id": 1}])",
       "/events/0/target_layer_id", "is 1"},
      {R"("layers": [{"name": "a", "inputs": ["t"]}], "tensors": [{"name": "t", "region_id": 5}])",
       "/tensors/0/region_id", "is 5"},
      {R"("layers": [], "tensors": [{}])", "/tensors/0/name", "is missing"},
      {R"("layers": [], "bindings": [{"name": null}])", "/bindings/0/name", "missing"},
      {R"("layers": [], "iterations": {"start_ms": [1, 2], "end_ms": [1]})", "/iterations/end_ms",
       "a list of 1"},
      {R"("layers": [], "iterations": {"start_ms": [1], "end_ms": [1, 2]})", "/iterations/end_ms",
       "a list of 2"},
      {R"("layers": [], "iterations": [1])", "/iterations", "an object of columns"},
  };
  for (const Wrong& wrong : cases) {
    const auto model = load_plan(plan(wrong.sections));
    ASSERT_FALSE(model) << wrong.sections;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << test::to_text(model.error());
    EXPECT_EQ(model.error().json_pointer, wrong.pointer) << test::to_text(model.error());
    EXPECT_THAT(model.error().message, HasSubstr(std::string(wrong.message)));
    EXPECT_EQ(model.error().file, "x.json");
  }
}

TEST(Plan, NewerVersion) {
  const auto model = load_plan(R"({"schema": "planex.plan/2", "layers": []})");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(model.error().hint, HasSubstr("a newer planex"));
}

TEST(Plan, NewerMinorVersion) {
  const auto model = load_plan(R"({"schema": "planex.plan/1.5", "layers": []})");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(model.error().message, HasSubstr("planex.plan/1.5"));
  EXPECT_THAT(model.error().hint, HasSubstr("a newer planex"));
}

TEST(Plan, SiblingsAddWhatThePlanHasNot) {
  constexpr std::string_view kTimes =
      R"({"schema": "planex.times/1", "columns": {"latency_ms": [1, 2, 3]}})";
  const std::string bare = plan(R"("layers": [{"name": "a"}])");
  const std::string timed = plan(R"("layers": [{"name": "a"}], "iterations": {"latency_ms": [7]})");
  const auto load_with = [&](const std::string& text, ingest::LoadRequest request) {
    request.path = "run";
    return test::must(test::load_completed(
        request, test::memory_files({{"run/x.plan.json", text}, {"run/x.times.json", kTimes}})));
  };
  EXPECT_EQ(load_with(bare, {}).iterations.row_count(), 3u);
  const PlanModel both = load_with(timed, {});
  EXPECT_EQ(both.iterations.row_count(), 1u) << "not both";
  EXPECT_THAT(test::diagnostic_codes(both), ElementsAre("left-out"));
  EXPECT_EQ(load_with(timed, {.times = "run/x.times.json"}).iterations.row_count(), 3u);
  EXPECT_EQ(both.text(both.engine.name[0]), "x");
}

TEST(Plan, NameOfTheUserGoesFirst) {
  const std::string text = plan(R"("engine": {"name": "theirs"}, "layers": [{"name": "a"}])");
  const auto files = test::memory_files({{"x.json", text}});
  const PlanModel theirs = test::must(test::load_completed({.path = "x.json"}, files));
  EXPECT_EQ(theirs.text(theirs.engine.name[0]), "theirs");
  const PlanModel mine =
      test::must(test::load_completed({.path = "x.json", .name = "mine"}, files));
  EXPECT_EQ(mine.text(mine.engine.name[0]), "mine");
}

TEST(Plan, ProfilesMayHaveAnyNumber) {
  const auto files = test::memory_files(
      {{"great.json", plan(R"("layers": [{"name": "a"}],
                              "profiles": [{"profile_index": 9223372036854775807}])")},
       {"less.json", plan(R"("engine": {"name": "e", "profile_count": -9223372036854775808},
                             "layers": [{"name": "a"}])")}});
  EXPECT_TRUE(test::load_completed({.path = "great.json", .profile_index = 3}, files));
  EXPECT_FALSE(test::load_completed({.path = "less.json", .profile_index = 1}, files));
}

// One of everything, small enough to be damaged at every byte.
constexpr std::string_view kWhole =
    R"({"schema":"planex.plan/1","engine":{"name":"e","profile_count":2,"x":[1]},
"bindings":[{"name":"x","direction":"input","dims":[1,-1]}],
"profiles":[{"profile_index":0,"binding":"x","min_dims":[1]}],
"layers":[{"name":"a\u00e9\"","role":"work","type":"Conv","median_ms":1.5e-1,"macs":12,"block_id":0,
"weight_bytes":4,"inputs":[{"tensor":"x","dims":[1,3],"dtype":"FP16","layout":"NCHW","strides":[3,1]},
"w"],"constants":[{"tensor":"c","bytes":8}],"outputs":[{"tensor":"y"}],
"sources":["s",{"op_name":"t","op_type":"Conv","evidence":"name"}],
"attributes":{"k":[1,{"a":null}],"t":"v\n","b":false}},{"name":null,"outputs":["z"]}],
"tensors":[{"name":"y","region_id":0,"offset_bytes":8}],
"blocks":[{"name":"b","kind":"loop"},{"parent_id":0}],"regions":[{"bytes":64}],
"events":[{"event_id":1,"layer_id":0,"kind":"jump","target_layer_id":1}],
"operations":[{"name":"o","type":"Conv","inputs":["i"],"outputs":[{"tensor":"j","dims":[2]}]}],
"iterations":{"latency_ms":[1,2],"start_ms":[0,null]},
"metadata":[{"section":"s","key":"k","value":"v"}],"diagnostics":[{"code":"c","severity":"info"}]}
)";

// A model that every view can show, or an error with a location.
void try_text(const std::string& text) {
  model::ModelBuilder builder;
  ingest::Artefact artefact{.path = "x.json", .bytes = base::make_bytes(text)};
  artefact.file_row = builder.add_file("x.json", "planex-plan", "tried", text.size());
  const auto read = read_plan(artefact, builder);
  artefact.bytes.reset();
  if (!read) {
    const Error& error = read.error();
    EXPECT_TRUE(error.code == ErrorCode::kBadInput || error.code == ErrorCode::kUnsupported);
    EXPECT_FALSE(error.message.empty());
    EXPECT_EQ(error.file, "x.json");
    return;
  }
  PlanModel model = builder.finish();
  analyze::complete(model);
  analyze::summarize(model);
  EXPECT_FALSE(test::dump(model).empty());
}

TEST(PlanDamaged, WholeFileIsFine) {
  const PlanModel model = test::must(load_plan(kWhole));
  EXPECT_EQ(model.layers.row_count(), 2u);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("unknown-key", "c"));
}

TEST(PlanDamaged, CutAtEveryByte) {
  for (std::size_t length = 0; length < kWhole.size(); ++length) {
    try_text(std::string(kWhole.substr(0, length)));
  }
}

TEST(PlanDamaged, EveryByteFlippedOrGone) {
  for (std::size_t at = 0; at < kWhole.size(); ++at) {
    for (const char c : {'\0', '"', ']', ':', '9', '\\'}) {
      std::string text(kWhole);
      text[at] = c;
      try_text(text);
    }
    std::string text(kWhole);
    try_text(text.erase(at, 1));
  }
}

TEST(PlanDamaged, NumbersAtTheirLimits) {
  for (const std::string_view number :
       {"9223372036854775807", "-9223372036854775808", "18446744073709551615", "4294967295",
        "1e308", "-1", "1.5", "99999999999999999999999"}) {
    // In each place that has a number, and in all at once.
    std::string all;
    for (std::size_t at = 0; at < kWhole.size();) {
      const std::size_t end = kWhole.find_first_not_of("0123456789.e-", at);
      const bool is_number =
          end > at &&
          std::string_view(":[,").find(at == 0 ? ' ' : kWhole[at - 1]) != std::string_view::npos &&
          kWhole[at] != 'e' && kWhole[at] != '.';
      if (!is_number) {
        all += kWhole[at++];
        continue;
      }
      try_text(std::string(kWhole.substr(0, at)).append(number).append(kWhole.substr(end)));
      all += number;
      at = end;
    }
    try_text(all);
  }
}

TEST(PlanDamaged, HugeSizesInManyLayers) {
  // Their sums do not fit into 64 bits.
  std::string layers;
  for (int i = 0; i < 3; ++i) {
    layers += base::format(
        R"({}{{"name": "l{}", "median_ms": 1e308, "mean_ms": 1e308, "macs": 9223372036854775807,
            "flops": 9223372036854775807, "weight_bytes": 9223372036854775807,
            "input_bytes": 9223372036854775807, "output_bytes": 9223372036854775807,
            "scratch_bytes": 9223372036854775807, "count": 9223372036854775807,
            "inputs": [{{"tensor": "t{}", "dims": [9223372036854775807, 2], "dtype": "FP32",
                         "layout": "NC/32HW32"}}],
            "outputs": [{{"tensor": "t{}", "bytes": 9223372036854775807,
                          "data_bytes": 9223372036854775807}}]}})",
        i == 0 ? "" : ",", i, i, i + 1);
  }
  const PlanModel model = must_load("\"layers\": [" + layers + "]");
  EXPECT_EQ(analyze::summarize(model).layer_count, 3);
}

}  // namespace
}  // namespace planex::ingest::planex_files
