// planex.plan/1: what is exported and read again is the same engine, for every engine there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/json_text.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "lint/run.h"
#include "model/builder.h"
#include "model/plan_columns.h"
#include "render/json/plan_json.h"
#include "support/json_tree.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;
using model::PlanModel;

std::string exported(const PlanModel& model) {
  std::string text;
  const auto written = render::write_plan(model, [&](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  });
  EXPECT_TRUE(written);
  return text;
}

Result<PlanModel> imported(const std::string& text) {
  return load_completed({.path = "x.plan.json"}, memory_files({{"x.plan.json", text}}));
}

// Without the tables that are about files.
std::string content(const PlanModel& model) {
  std::string text = dump(model);
  for (const std::string_view table : {"files", "findings"}) {
    const std::size_t first = text.find(base::format("\n{}: ", table));
    if (first == text.npos) continue;
    std::size_t last = text.find("\n", first + 1);
    while (last != text.npos && last + 1 < text.size() && text[last + 1] == ' ') {
      last = text.find('\n', last + 1);
    }
    text.erase(first, last == text.npos ? text.npos : last - first);
  }
  return text;
}

// The first line that differs, as whole engines are too long to print.
std::string difference(const std::string& a, const std::string& b) {
  if (a == b) return "none";
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const std::size_t first = at == 0 ? 0 : a.rfind('\n', at - 1) + 1;
  return a.substr(first, a.find('\n', at) - first) + "\n" +
         b.substr(first, b.find('\n', std::min(at, b.size())) - first);
}

void expect_round_trip(const PlanModel& model) {
  const std::string text = exported(model);
  EXPECT_EQ(exported(model), text) << "the same bytes each time";
  auto again = imported(text);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(difference(content(model), content(*again)), "none");
  EXPECT_TRUE(exported(*again) == text);
  const analyze::Summary before = analyze::summarize(model), after = analyze::summarize(*again);
  EXPECT_EQ(before.layer_count, after.layer_count);
  EXPECT_EQ(before.time.layers_median_ms, after.time.layers_median_ms);
  // What would be nice to have besides depends on the files that were read.
  const auto needed = [](const analyze::Summary& summary) {
    return std::ranges::count(summary.missing, false, &analyze::MissingPiece::is_optional);
  };
  EXPECT_EQ(needed(before), needed(after));
  // Lint is worked out anew and finds the same.
  EXPECT_EQ(lint::run(model).findings.size(), lint::run(*again).findings.size());
}

TEST(PlanRoundTrip, RealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t tried = 0;
  for (const std::string& folder : engine_folders(data)) {
    SCOPED_TRACE(folder);
    const auto model = load_completed({.path = folder}, base::disk());
    if (!model) continue;  // several engines in one folder, or of a format that is not read
    expect_round_trip(*model);
    ++tried;
  }
  EXPECT_GE(tried, takes_all_engines() ? kReadableEngines.size() : 8U);
}

// The large ones are read above.
TEST(PlanRoundTrip, EveryFileThatIsAnEngine) {
  constexpr std::uintmax_t kMaxFileBytes = 256 * 1024;
  PLANEX_NEED_TEST_DATA(data);
  std::vector<std::string> folders = engine_folders(data);
  folders.insert(folders.end(), {PLANEX_TESTS_FOLDER "/data", PLANEX_TESTS_FOLDER "/golden"});
  std::size_t tried = 0;
  for (const std::string& folder : folders) {
    for (const std::string& path : files_below(folder, {".json", ".log", ".txt", ".xml"})) {
      if (std::filesystem::file_size(path) > kMaxFileBytes) continue;
      const auto head = base::disk().read_head(path, ingest::kSniffBytes);
      const ingest::ReaderInfo* reader = head ? ingest::sniff(*head) : nullptr;
      if (reader == nullptr || reader->engine_rank == 0) continue;
      SCOPED_TRACE(path);
      const auto model = load_completed({.path = path}, base::disk());
      if (!model) continue;
      expect_round_trip(*model);
      ++tried;
    }
  }
  EXPECT_GT(tried, 30u);
}

TEST(PlanRoundTrip, EveryColumn) {
  // A model with something in every column that the document has, by the schema's own list.
  model::ModelBuilder builder;
  PlanModel& model = builder.model();
  base::StringPool& strings = builder.strings();
  for (const std::string_view name : {"a \"quoted\"\n\x01 name", "b \xc3\xa9"}) {
    const model::LayerId layer = builder.add_layer(strings.add(name));
    builder.add_port(layer, model::Direction::kInput, {.tensor = "in"});
    builder.add_port(layer, model::Direction::kConstant, {.tensor = "weights"});
    builder.add_port(layer, model::Direction::kOutput, {.tensor = name, .dims_known = false});
    builder.add_source(layer, "op", "Conv", model::Evidence::kProvenance);
    const auto attribute = [&](std::string_view key, std::string_view value,
                               model::ValueType type) {
      builder.add_attribute(layer, strings.intern(key), strings.add(value), type);
    };
    attribute("text", "", model::ValueType::kString);
    attribute("a key with \"\\ in it", "1e400", model::ValueType::kNumber);
    attribute("number", "-0.10", model::ValueType::kNumber);
    attribute("list", "[1,\n {\"b\": null}]", model::ValueType::kArray);
    attribute("yes", "true", model::ValueType::kBoolean);
    attribute("none", "null", model::ValueType::kJsonNull);
    attribute("text", "twice", model::ValueType::kString);
  }
  const model::OperationId operation = builder.add_operation({.name = "op", .type = "Conv"});
  builder.add_operation_port(operation, model::Direction::kInput, {.tensor = ""});
  builder.add_operation_port(operation, model::Direction::kOutput, {.tensor = "y"});
  builder.add_binding("in", model::Direction::kInput);
  builder.add_block("outer", "loop");
  builder.add_block("inner", "branch", model::BlockId(0));
  model.regions.region_id.set(model.regions.add_row(), model::RegionId(0));
  for (int row = 0; row < 2; ++row) {
    model.events.layer_id.set(model.events.add_row(), model::LayerId(1));
    model.kernels.layer_id.set(model.kernels.add_row(), model::LayerId(1));
    model.streams.add_row();
    model.stream_pairs.add_row();
    model.iterations.add_row();
    model.profiles.add_row();
    model.machine_samples.add_row();
    const auto choice = static_cast<std::uint32_t>(row);
    model.tactic_choices.choice_id.set(model.tactic_choices.add_row(), model::ChoiceId(choice));
    model.tactics.add_row();
    model.calibration.add_row();
    model.accuracy.add_row();
    model.accuracy_outputs.add_row();
    model.front.add_row();
    model.front_layers.add_row();
    model.difference_maps.add_row();
    model.metadata.add_row();
    model.diagnostics.add_row();
  }
  const std::vector<std::int64_t> dims = {2, -1, 9'007'199'254'740'993};
  std::int64_t number = 1;
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    const std::string_view table_name = model::schema()[table].name;
    if (!model::is_in_plan(table_name)) continue;
    const auto columns = model::plan_columns(table);
    const std::size_t rows = model::TableView(model, table).row_count();
    EXPECT_GT(rows, 0u) << table_name;
    for (std::size_t row = 0; row < rows; ++row) {
      for (const model::PlanColumn& column : columns) {
        // These were given above, and others refer to them.
        const bool is_given =
            column.name == "name" &&
            (table_name == "layers" || table_name == "tensors" || table_name == "bindings");
        if (column.use != model::PlanUse::kFact || is_given) continue;
        bool is_set = false;
        switch (column.kind) {
          case model::ColumnKind::kInt:
            is_set = column.set(model, row, ++number);
            break;
          case model::ColumnKind::kId:
            is_set = column.set(model, row, std::int64_t{0});
            // A block is not around itself.
            if (column.name == "parent_id") model.blocks.parent_id.set(0, model::BlockId());
            break;
          case model::ColumnKind::kReal:
            is_set = column.set(model, row, 0.1 + 1.0 / static_cast<double>(++number));
            break;
          case model::ColumnKind::kText:
            is_set = column.set(
                model, row,
                strings.add(base::format("{} {}\t{}", table_name, column.name, ++number)));
            break;
          case model::ColumnKind::kIntList:
            is_set = column.set(model, row, std::span<const std::int64_t>(dims));
            break;
          case model::ColumnKind::kWord:
            for (const std::string_view word :
                 {"constant", "FP8", "NC/32HW32", "output", "opaque", "warning", "provenance"}) {
              is_set = is_set || column.set(model, row, word);
            }
            break;
        }
        EXPECT_TRUE(is_set) << table_name << "." << column.name;
      }
    }
  }
  PlanModel done = builder.finish();
  analyze::complete(done);
  const std::string text = exported(done);
  // Each is there by its name.
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    if (!model::is_in_plan(model::schema()[table].name)) continue;
    for (const model::PlanColumn& column : model::plan_columns(table)) {
      if (column.use != model::PlanUse::kFact) continue;
      EXPECT_NE(text.find(base::format("\"{}\":", column.name)), text.npos) << column.name;
    }
  }
  expect_round_trip(done);
}

TEST(PlanRoundTrip, WhatJsonHasNoPlaceFor) {
  model::ModelBuilder builder;
  const model::LayerId layer = builder.add_layer(builder.strings().add("bad \xff byte"));
  builder.add_attribute(layer, builder.strings().intern("raw"), builder.strings().add("{not json"),
                        model::ValueType::kObject);
  builder.add_attribute(layer, builder.strings().intern("control"),
                        builder.strings().add("\"\x01\""), model::ValueType::kObject);
  const std::string text = exported(builder.finish());
  EXPECT_TRUE(base::is_json_value(text));
  const PlanModel again = must(imported(text));
  EXPECT_EQ(again.text(again.layers.name[0]), "bad \xef\xbf\xbd byte");
  EXPECT_EQ(again.attribute(model::LayerId(0), "raw"), "{not json");
}

TEST(PlanRoundTrip, SinkCanStopIt) {
  const PlanModel model = model::ModelBuilder().finish();
  const auto written = render::write_plan(
      model, [](std::string_view) -> Result<void> { return fail(ErrorCode::kIo, "full"); });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "full");
}

TEST(PlanRoundTrip, OrderOfKeysDoesNotMatter) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = must(load_engine(data, "resnet18-a100-qat"));
  const DumpOptions options{
      .attributes = AttributeOrder::kSorted, .canonical_json = true, .without_byte_places = true};
  std::mt19937 random(7);
  JsonNode root = parse_json(exported(model));
  shuffle_keys(root, random);
  // But for the one that says what the file is.
  const auto schema = std::ranges::find(root.keys, "\"schema\"");
  std::swap(root.children[static_cast<std::size_t>(schema - root.keys.begin())],
            root.children.front());
  std::swap(*schema, root.keys.front());
  const std::string shuffled = write_json(root, kPretty);
  const PlanModel again = must(imported(shuffled));
  const auto without_tensors = [&](const PlanModel& one) {
    std::string text = dump(one, options);
    return text.substr(0, text.find("\nfiles: "));
  };
  EXPECT_EQ(difference(without_tensors(model), without_tensors(again)), "none");
}

}  // namespace
}  // namespace planex::test
