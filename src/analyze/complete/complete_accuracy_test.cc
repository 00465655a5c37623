#include "analyze/complete/complete_accuracy.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/explain/accuracy.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::LayerId;

// Two layers that compute, a conversion named after what it converts, and an unknown one.
class AccuracyTest : public ::testing::Test {
 protected:
  AccuracyTest() {
    layer("conv1+relu1", "Convolution", {"conv1", "relu1"});
    layer("reorder", "Reorder", {"conv1"});
    layer("head", "FullyConnected", {"head_output"});
    model().engine.producer.set(0, text("openvino"));
  }

  model::PlanModel& model() { return builder_.model(); }
  base::StringId text(std::string_view words) { return builder_.strings().intern(words); }

  void layer(std::string_view name, std::string_view type,
             const std::vector<std::string_view>& operations) {
    const LayerId layer = builder_.add_layer(text(name));
    model().layers.role.set(layer.index(), model::Role::kWork);
    model().layers.type.set(layer.index(), text(type));
    if (type == "Reorder") model().layers.family.set(layer.index(), model::Family::kReformat);
    for (const std::string_view operation : operations) {
      builder_.add_source(layer, operation, "", model::Evidence::kProvenance);
    }
  }

  struct Loss {
    std::string_view tensor, operation, tap = "verified";
    std::optional<double> simulated_db, engine_db;
  };
  void loss(const Loss& of) {
    model::AccuracyTable& table = model().accuracy;
    const std::size_t row = table.add_row();
    table.tensor.set(row, text(of.tensor));
    if (!of.operation.empty()) table.op_name.set(row, text(of.operation));
    table.tap.set(row, text(of.tap));
    table.simulated_db.set(row, of.simulated_db);
    table.engine_db.set(row, of.engine_db);
  }

  void output(std::string_view record, std::string_view compared, std::optional<double> sqnr_db) {
    model::AccuracyOutputsTable& table = model().accuracy_outputs;
    const std::size_t row = table.add_row();
    table.record.set(row, text(record));
    table.compared.set(row, text(compared));
    table.sqnr_db.set(row, sqnr_db);
  }

  model::PlanModel finish() {
    model::PlanModel done = builder_.finish();
    complete(done);
    return done;
  }

 private:
  model::ModelBuilder builder_;
};

TEST_F(AccuracyTest, TensorsBelongToTheLayerThatComputesThem) {
  loss({.tensor = "c1", .operation = "conv1", .simulated_db = 50, .engine_db = 49});
  loss({.tensor = "r1", .operation = "relu1", .simulated_db = 43.4, .engine_db = 8.25});
  // An operation without a name is identified by its tensor.
  loss({.tensor = "head_output", .operation = "", .simulated_db = 30});
  loss({.tensor = "z", .operation = "elsewhere", .simulated_db = 20});
  model::CalibrationTable& calibration = model().calibration;
  const std::size_t row = calibration.add_row();
  calibration.tensor.set(row, text("r1"));
  calibration.op_name.set(row, text("relu1"));
  const model::PlanModel done = finish();
  EXPECT_EQ(done.accuracy.layer_id[0], LayerId(0));
  EXPECT_EQ(done.accuracy.layer_id[1], LayerId(0));
  EXPECT_EQ(done.accuracy.layer_id[2], LayerId(2));
  EXPECT_TRUE(done.accuracy.layer_id.is_null(3));
  EXPECT_EQ(done.calibration.layer_id[0], LayerId(0));
  // The layer's output.
  EXPECT_EQ(done.layers.simulated_db.get(0), 43.4);
  EXPECT_EQ(done.layers.engine_db.get(0), 8.25);
  EXPECT_TRUE(done.layers.simulated_db.is_null(1));
  EXPECT_EQ(done.layers.simulated_db.get(2), 30);
  EXPECT_TRUE(done.layers.engine_db.is_null(2));
  const std::vector<LayerId> both = {LayerId(0), LayerId(1)};
  EXPECT_EQ(accuracy_of(done, both).engine_db, 8.25);
}

TEST_F(AccuracyTest, LayersOfAFrontBecameLayersOfTheEngine) {
  for (const std::string_view operation : {"relu1", "elsewhere"}) {
    const std::size_t row = model().front_layers.add_row();
    model().front_layers.point.set(row, 0);
    model().front_layers.op_name.set(row, text(operation));
  }
  EXPECT_FALSE(has_accuracy(model()));
  const std::size_t point = model().front.add_row();
  model().front.point.set(point, 0);
  output("search", "simulated", 22);
  const model::PlanModel done = finish();
  EXPECT_EQ(done.front_layers.layer_id[0], LayerId(0));
  EXPECT_TRUE(done.front_layers.layer_id.is_null(1));
  EXPECT_TRUE(has_accuracy(done));
  EXPECT_EQ(explain_accuracy(done).front.size(), 1u);
  // A search says what it left, if no other record does.
  EXPECT_EQ(end_accuracy(done).simulated_db, 22);
}

TEST_F(AccuracyTest, FiguresOfOpenvinoAreOfNoOtherEngine) {
  model().engine.producer.set(0, text("tensorrt"));
  loss({.tensor = "c1", .operation = "conv1", .simulated_db = 50, .engine_db = 49});
  output("accuracy", "simulated", 30);
  output("accuracy", "engine", 20);
  const model::PlanModel done = finish();
  EXPECT_EQ(done.layers.simulated_db.get(0), 50);
  EXPECT_TRUE(done.layers.engine_db.is_null(0));
  EXPECT_EQ(end_accuracy(done).simulated_db, 30);
  EXPECT_EQ(end_accuracy(done).engine_db, std::nullopt);
  EXPECT_TRUE(explain_accuracy(done).is_of_other_engine);
}

TEST_F(AccuracyTest, TheWorstOutputOfTheRecordThatComparedLast) {
  output("quantize", "simulated", 22);
  output("quantize", "engine", 21);
  EXPECT_EQ(end_accuracy(model()).engine_db, 21);
  output("accuracy", "simulated", 25);
  output("accuracy", "simulated", 24);
  output("accuracy", "simulated", std::nullopt);
  output("accuracy", "engine", 20);
  output("accuracy", "engine-to-simulated", 3);
  const model::PlanModel done = finish();
  EXPECT_EQ(end_accuracy(done).simulated_db, 24);
  EXPECT_EQ(end_accuracy(done).engine_db, 20);
}

TEST_F(AccuracyTest, FindsWhereItBeginsAndWhoseLossItIs) {
  EXPECT_FALSE(has_accuracy(model()));
  loss({.tensor = "a", .operation = "conv1", .simulated_db = 43, .engine_db = 41});
  loss({.tensor = "b", .operation = "x", .tap = "disturbed", .simulated_db = 40, .engine_db = 25});
  loss({.tensor = "c", .operation = "y", .simulated_db = 30, .engine_db = 19});
  loss({.tensor = "d", .operation = "z", .simulated_db = 25, .engine_db = 12});
  const model::PlanModel done = finish();
  EXPECT_TRUE(has_accuracy(done));
  const AccuracyExplanation found = explain_accuracy(done);
  EXPECT_EQ(found.verified, 3);
  EXPECT_EQ(found.disturbed, 1);
  EXPECT_EQ(found.unmapped, 3);
  EXPECT_EQ(found.first_low, 2u);
  EXPECT_EQ(found.widest_gap, 3u) << "13 dB; that of the disturbed one is from another engine";
  EXPECT_EQ(found.tensors.size(), 4u);
}

}  // namespace
}  // namespace planex::analyze
