#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/tensorrt/torch_trace_reader.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::Contains;

std::string slice(std::string_view name, double us) {
  return base::format(
      "  {{\n    \"name\": \"{}\",\n    \"ph\": \"X\",\n    \"ts\": 0,\n    \"dur\": {},\n    "
      "\"tid\": "
      "1,\n    \"pid\": \"_run_on_acc_0_engine Engine Execution\",\n    \"args\": {{}}\n  }}",
      name, us);
}

const std::string kTorchTrace =
    "[\n" + slice("conv1", 3000) + ",\n" + slice("pool", 1000) + "\n]\n";

TEST(TorchTrace, SumsAndSharesAndNoTimeOfOneInference) {
  EXPECT_EQ(sniff(kTorchTrace)->id, "torch-tensorrt-trace");
  model::ModelBuilder builder;
  Artefact artefact{.path = "e.trace", .bytes = base::make_bytes(kTorchTrace)};
  artefact.file_row = builder.add_file("e.trace", "torch-tensorrt-trace", "test", 1);
  const auto read = read_torch_trace(artefact, builder);
  ASSERT_TRUE(read.has_value()) << test::to_text(read.error());
  auto model = builder.finish();
  analyze::complete(model);
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.text(model.layers.name[0]), "conv1");
  EXPECT_EQ(model.layers.total_ms[0], 3);
  EXPECT_TRUE(model.layers.mean_ms.is_null(0)) << "of how many inferences is not known";
  EXPECT_EQ(model.layers.share[0], 0.75);
  EXPECT_EQ(model.layers.share[1], 0.25);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("times-are-sums"));
}

TEST(TorchTrace, WhereItIsBrokenIsSaid) {
  for (const std::string& text :
       {kTorchTrace.substr(0, 40), std::string("[{\"name\": 5, \"dur\": 1}]"), std::string("{}")}) {
    model::ModelBuilder builder;
    const Artefact artefact{.path = "e.trace", .bytes = base::make_bytes(text)};
    const auto read = read_torch_trace(artefact, builder);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_TRUE(read.error().byte_offset || !read.error().json_pointer.empty()) << text;
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
