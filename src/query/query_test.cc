#include "query/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "model/builder.h"

namespace planex::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using model::DataTable;
using model::Value;

const Value kNull;

Value text(std::string_view value) { return std::string(value); }
Value number(std::int64_t value) { return value; }

struct LayerSpec {
  std::string_view name;
  std::string_view type;
  double median_ms;
  model::Role role = model::Role::kWork;
};

// A chain: each layer reads the tensor that the one before writes.
model::PlanModel chain_of(std::span<const LayerSpec> specs) {
  model::ModelBuilder builder;
  std::string input = "input";
  for (const LayerSpec& spec : specs) {
    const model::LayerId layer = builder.add_layer(builder.strings().intern(spec.name));
    model::LayersTable& layers = builder.model().layers;
    layers.type.set(layer.index(), builder.strings().intern(spec.type));
    layers.median_ms.set(layer.index(), spec.median_ms);
    layers.role.set(layer.index(), spec.role);
    const std::array<std::int64_t, 4> dims = {1, 3, 224, 224};
    builder.add_port(layer, model::Direction::kInput,
                     {.tensor = input, .dims = dims, .dtype = model::DType::kInt8});
    input = std::string(spec.name) + ".out";
    builder.add_port(layer, model::Direction::kOutput,
                     {.tensor = input, .dims = dims, .dtype = model::DType::kFp16});
    builder.add_attribute(layer, builder.strings().intern("Groups"), builder.strings().add("1"),
                          model::ValueType::kNumber);
  }
  return builder.finish();
}

const LayerSpec kSpecs[] = {
    {"conv1", "Convolution", 0.2},
    {"pool1", "Pooling", 0.1},
    {"layer1.conv \"a\"", "Convolution", 0.4},
    {"noop", "NoOp", NAN, model::Role::kNoOp},
};

class QueryTest : public ::testing::Test {
 protected:
  DataTable run(std::string_view sql) {
    auto result = database_.run(sql);
    EXPECT_TRUE(result) << sql << ": " << result.error().message;
    // One row, so that a test that reads it fails instead of crashing.
    return result ? *result : DataTable{.rows = {{}}};
  }
  Error error(std::string_view sql) {
    auto result = database_.run(sql);
    EXPECT_FALSE(result) << sql;
    return result ? Error{} : result.error();
  }

  model::PlanModel model_ = chain_of(kSpecs);
  Database database_ = *Database::open(std::array{NamedModel{"one", &model_}});
};

TEST_F(QueryTest, ReadsRowsInExecutionOrder) {
  const DataTable table = run("SELECT layer_id, name, median_ms, role FROM layers;");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_THAT(table.rows[0], ElementsAre(number(0), text("conv1"), Value(0.2), text("work")));
  EXPECT_THAT(table.rows[2][1], text("layer1.conv \"a\""));
  EXPECT_THAT(table.rows[3], ElementsAre(number(3), text("noop"), kNull, text("noop")));
}

TEST_F(QueryTest, EveryTableAndColumnCanBeRead) {
  for (const model::TableInfo& info : model::schema()) {
    const DataTable table = run("SELECT * FROM " + std::string(info.name));
    EXPECT_EQ(table.columns.size(), info.columns.size()) << info.name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].name, info.columns[i].name);
      EXPECT_EQ(table.columns[i].unit, info.columns[i].unit) << info.name << "." << i;
    }
  }
}

TEST_F(QueryTest, ListsAreJson) {
  EXPECT_THAT(run("SELECT dims FROM ports LIMIT 1").rows[0], ElementsAre(text("[1,3,224,224]")));
  EXPECT_THAT(run("SELECT sum(d.value) FROM ports p, json_each(p.dims) d WHERE p.layer_id = 1 AND "
                  "p.direction = 'input'")
                  .rows[0],
              ElementsAre(number(452)));
}

TEST_F(QueryTest, WorkLayersIsAView) {
  EXPECT_THAT(run("SELECT count(*) FROM work_layers").rows[0], ElementsAre(number(3)));
}

TEST_F(QueryTest, LooksUpByPositionRangeAndIndex) {
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 2").rows.size(), 1U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 2.0").rows.size(), 1U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = '2'").rows.size(), 1U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 2.5").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = -1").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 1e300").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = NULL").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 'x'").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id IN (0, 3, 9)").rows.size(), 2U);
  EXPECT_EQ(run("SELECT * FROM ports WHERE layer_id = 1").rows.size(), 2U);
  EXPECT_EQ(run("SELECT * FROM ports WHERE layer_id = 4").rows.size(), 0U);
  EXPECT_EQ(run("SELECT * FROM attributes WHERE layer_id = 1").rows.size(), 1U);
  EXPECT_EQ(run("SELECT * FROM sources WHERE layer_id = 1").rows.size(), 0U);
  // The index is built on the second look-up; the result must not change.
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run("SELECT * FROM layers WHERE name = 'pool1'").rows.size(), 1U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE name = 'POOL1' COLLATE NOCASE").rows.size(), 1U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE median_ms = 0.4").rows.size(), 1U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE median_ms IS NULL").rows.size(), 1U);
    EXPECT_EQ(run("SELECT * FROM ports WHERE \"index\" = 0").rows.size(), 8U);
  }
}

// All ways to join give the same result as the naive way: `+x` keeps SQLite from using an index.
TEST_F(QueryTest, JoinsEqualTheNaiveJoin) {
  const std::array<std::array<std::string_view, 2>, 5> kQueries = {{
      {"SELECT l.name, p.direction FROM ports p JOIN layers l ON l.layer_id = p.layer_id",
       "SELECT l.name, p.direction FROM ports p JOIN layers l ON +l.layer_id = +p.layer_id"},
      {"SELECT l.name, p.direction FROM layers l LEFT JOIN ports p USING (layer_id)",
       "SELECT l.name, p.direction FROM layers l LEFT JOIN ports p ON +l.layer_id = +p.layer_id"},
      {"SELECT a.layer_id, b.layer_id FROM ports a JOIN ports b ON a.tensor_id = b.tensor_id AND "
       "a.direction = 'output' AND b.direction = 'input'",
       "SELECT a.layer_id, b.layer_id FROM ports a JOIN ports b ON +a.tensor_id = +b.tensor_id AND "
       "+a.direction = 'output' AND +b.direction = 'input'"},
      {"SELECT a.name, b.name FROM layers a JOIN layers b USING (type) ORDER BY 1, 2",
       "SELECT a.name, b.name FROM layers a JOIN layers b ON +a.type = +b.type ORDER BY 1, 2"},
      {"SELECT t.name, (SELECT count(*) FROM ports p WHERE p.tensor_id = t.tensor_id) FROM tensors "
       "t",
       "SELECT t.name, (SELECT count(*) FROM ports p WHERE +p.tensor_id = t.tensor_id) FROM "
       "tensors "
       "t"},
  }};
  for (const auto& [fast, naive] : kQueries) {
    const auto rows_of = [&](std::string_view sql) {
      const DataTable table = run(sql);
      return std::multiset<std::vector<Value>>(table.rows.begin(), table.rows.end());
    };
    EXPECT_EQ(rows_of(fast), rows_of(naive)) << fast;
    EXPECT_FALSE(rows_of(fast).empty()) << fast;
  }
}

TEST_F(QueryTest, OrderByLayerNeedsNoSorting) {
  const DataTable plan = run("EXPLAIN QUERY PLAN SELECT * FROM ports ORDER BY layer_id");
  for (const auto& row : plan.rows) {
    EXPECT_THAT(std::get<std::string>(row[3]), ::testing::Not(HasSubstr("TEMP B-TREE")));
  }
  const DataTable down = run("SELECT layer_id FROM ports ORDER BY layer_id DESC LIMIT 1");
  EXPECT_THAT(down.rows[0], ElementsAre(number(3)));
}

TEST_F(QueryTest, UnitsFollowColumnsAndNames) {
  const DataTable table =
      run("SELECT median_ms AS m, x.w, sum(median_ms), count(*), 100 * median_ms AS total_ms, "
          "median_ms + 1, name FROM layers, (SELECT 5 AS i, weight_bytes AS w FROM layers) x");
  std::vector<std::string> units;
  for (const model::DataColumn& column : table.columns) units.push_back(column.unit);
  EXPECT_THAT(units, ElementsAre("ms", "bytes", "ms", "count", "ms", "", ""));
  EXPECT_TRUE(table.columns[1].numeric);  // all null, but declared with a unit
  EXPECT_FALSE(table.columns[6].numeric);
}

TEST_F(QueryTest, MedianAndPercentile) {
  EXPECT_THAT(run("SELECT median(median_ms), percentile(median_ms, 0), percentile(median_ms, 100), "
                  "round(percentile(median_ms, 75), 9), median(NULL) FROM layers")
                  .rows[0],
              ElementsAre(Value(0.2), Value(0.1), Value(0.4), Value(0.3), kNull));
  EXPECT_THAT(run("SELECT type, median(median_ms) FROM layers GROUP BY type ORDER BY type").rows[0],
              ElementsAre(text("Convolution"), Value((0.2 + 0.4) / 2)));
  EXPECT_THAT(run("SELECT median(x) FROM (SELECT 1 AS x LIMIT 0)").rows[0], ElementsAre(kNull));
  EXPECT_THAT(error("SELECT median(name) FROM layers").message,
              HasSubstr("median() needs numbers, not \"conv1\""));
  EXPECT_THAT(error("SELECT percentile(median_ms, 101) FROM layers").message,
              HasSubstr("p between 0 and 100"));
  EXPECT_THAT(error("SELECT percentile(median_ms, layer_id) FROM layers").message,
              HasSubstr("the same p"));
}

TEST_F(QueryTest, RegularExpressions) {
  EXPECT_EQ(run("SELECT * FROM layers WHERE name REGEXP '^conv.*'").rows.size(), 1U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE name REGEXP 'conv'").rows.size(), 2U);
  EXPECT_EQ(run("SELECT * FROM layers WHERE NOT name REGEXP '(?i)CONV'").rows.size(), 2U);
  EXPECT_THAT(run("SELECT NULL REGEXP 'a', 'a' REGEXP NULL").rows[0], ElementsAre(kNull, kNull));
  const Error bad = error("SELECT * FROM layers WHERE name REGEXP 'conv('");
  EXPECT_EQ(bad.code, ErrorCode::kUsage);
  EXPECT_THAT(bad.message, HasSubstr("\"conv(\" is not a valid regular expression: missing )"));
}

TEST_F(QueryTest, ErrorsNameWhatCouldBeMeant) {
  const Error column = error("SELECT medianms FROM layers");
  EXPECT_EQ(column.code, ErrorCode::kUsage);
  EXPECT_EQ(column.message, "no column \"medianms\" in layers; did you mean \"median_ms\"?");
  EXPECT_EQ(column.context, "at character 8:\n  SELECT medianms FROM layers\n         ^");
  EXPECT_THAT(column.hint, HasSubstr("Columns of layers: layer_id, role, profile_index, name"));

  EXPECT_EQ(error("SELECT l.medianms FROM layers l").message,
            "no column \"medianms\" in layers; did you mean \"median_ms\"?");
  EXPECT_EQ(error("SELECT \"medianms\" FROM layers").message,
            "no column \"medianms\" in layers; did you mean \"median_ms\"?");
  EXPECT_EQ(error("SELECT dims FROM layers").message,
            "no column \"dims\" in layers; ports has one");
  EXPECT_EQ(error("SELECT * FROM layer").message, "no table \"layer\"; did you mean \"layers\"?");
  EXPECT_EQ(error("SELECT medain(1)").message, "no function \"medain\"; did you mean \"median\"?");
  EXPECT_EQ(error("SELECT mean(median_ms) FROM layers").message,
            "no function \"mean\"; did you mean \"avg\"?");
  EXPECT_THAT(error("SELECT index FROM ports").hint, HasSubstr("write \"index\" in double quotes"));
  EXPECT_EQ(error("SELECT name FROM layers WHERE").message, "the query ends too early");
  EXPECT_THAT(error("SELECT name FROM layers, tensors").message,
              HasSubstr("several tables of the query have a column \"name\""));
  EXPECT_THAT(error("SELECT sum(name, type) FROM layers").message, HasSubstr("sum()"));
}

TEST_F(QueryTest, ExactlyOneStatement) {
  EXPECT_EQ(error("").message, "the query is empty");
  EXPECT_EQ(error(" ; -- nothing\n").message, "the query is empty");
  EXPECT_THAT(error("SELECT 1; SELECT 2").message, HasSubstr("only one statement is allowed"));
  EXPECT_THAT(error("SELECT 1; SELECT 2").context, HasSubstr("at character 11"));
  EXPECT_EQ(run("SELECT 1;; -- done\n /* yes */").rows.size(), 1U);
  EXPECT_THAT(error(std::string_view("SELECT 1\0; DROP", 15)).message, HasSubstr("NUL"));
  EXPECT_THAT(error("SELECT ?1").message, HasSubstr("parameter"));
}

TEST_F(QueryTest, RowLimit) {
  const auto result = database_.run("SELECT * FROM layers", {.max_rows = 2});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rows.size(), 2U);
}

TEST_F(QueryTest, ListsTablesAndColumns) {
  const DataTable tables = database_.list_tables();
  ASSERT_EQ(tables.rows.size(), model::schema().size() + 1);
  EXPECT_THAT(tables.rows[1], ElementsAre(text("layers"), number(4), ::testing::_));
  EXPECT_THAT(tables.rows.back(), ElementsAre(text("work_layers"), number(3), ::testing::_));
  const auto columns = database_.describe_table("Layers");
  ASSERT_TRUE(columns);
  EXPECT_THAT(columns->rows[0], ElementsAre(text("layer_id"), text("int64"), kNull, ::testing::_));
  EXPECT_TRUE(database_.describe_table("work_layers"));
  const auto unknown = database_.describe_table("layer");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean \"layers\"?"));
}

TEST(QuerySeveralEngines, TablesHaveAnEngineColumn) {
  const model::PlanModel a = chain_of(kSpecs);
  const LayerSpec other[] = {{"conv1", "Convolution", 0.05}};
  const model::PlanModel b = chain_of(other);
  const model::PlanModel empty = chain_of({});
  auto database = Database::open(
      std::array{NamedModel{"fp32", &a}, NamedModel{"empty", &empty}, NamedModel{"int8", &b}});
  ASSERT_TRUE(database);
  const auto run = [&](std::string_view sql) {
    auto result = database->run(sql);
    EXPECT_TRUE(result) << result.error().message;
    return result ? result->rows : std::vector<std::vector<Value>>{};
  };
  EXPECT_THAT(run("SELECT * FROM layers LIMIT 1")[0][0], text("fp32"));
  EXPECT_EQ(run("SELECT * FROM layers").size(), 5U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run("SELECT * FROM layers WHERE layer_id = 0").size(), 2U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE engine = 'int8'").size(), 1U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE engine = 'none'").size(), 0U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE engine IS NULL").size(), 0U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE name = 'conv1'").size(), 2U);
    EXPECT_EQ(run("SELECT * FROM layers WHERE name = 'conv1' AND engine = 'int8'").size(), 1U);
  }
  EXPECT_EQ(run("SELECT * FROM ports JOIN layers USING (engine, layer_id)").size(), 10U);
  EXPECT_EQ(run("SELECT a.name, b.median_ms / a.median_ms FROM layers a JOIN layers b USING (name) "
                "WHERE a.engine = 'fp32' AND b.engine = 'int8'")
                .size(),
            1U);
  EXPECT_EQ(run("SELECT engine FROM layers ORDER BY layer_id, engine").size(), 5U);
  EXPECT_THAT(database->describe_table("ports")->rows[0][0], text("engine"));
  EXPECT_THAT(database->run("SELECT engin FROM layers").error().message,
              HasSubstr("did you mean \"engine\"?"));

  EXPECT_FALSE(Database::open({}));
  EXPECT_FALSE(Database::open(std::array{NamedModel{"x", &a}, NamedModel{"x", &b}}));
}

// Quadratic plans would not finish within a test run.
TEST(QueryLarge, JoinsOfAHundredThousandLayersAreLinear) {
  constexpr std::size_t kLayers = 100'000;
  std::vector<std::string> names;
  std::vector<LayerSpec> specs;
  names.reserve(kLayers);
  for (std::size_t i = 0; i < kLayers; ++i) {
    names.push_back("layer" + std::to_string(i));
    specs.push_back({names.back(), i % 3 == 0 ? "Convolution" : "Reformat", 0.001});
  }
  const model::PlanModel model = chain_of(specs);
  auto database = Database::open(std::array{NamedModel{"large", &model}});
  ASSERT_TRUE(database);
  const auto run = [&](std::string_view sql) {
    auto result = database->run(sql);
    EXPECT_TRUE(result) << result.error().message;
    return result ? result->rows : std::vector<std::vector<Value>>{};
  };
  EXPECT_EQ(run("SELECT type, count(*), sum(median_ms) FROM layers GROUP BY type").size(), 2U);
  EXPECT_THAT(run("SELECT count(*) FROM layers JOIN ports USING (layer_id)")[0],
              ElementsAre(number(2 * kLayers)));
  EXPECT_THAT(run("SELECT count(*) FROM ports a JOIN ports b USING (tensor_id) WHERE a.direction = "
                  "'output' AND b.direction = 'input'")[0],
              ElementsAre(number(kLayers - 1)));
  EXPECT_THAT(run("SELECT count(*) FROM layers a JOIN layers b USING (name)")[0],
              ElementsAre(number(kLayers)));
  EXPECT_THAT(run("SELECT sum((SELECT count(*) FROM attributes WHERE attributes.layer_id = "
                  "l.layer_id)) FROM layers l")[0],
              ElementsAre(number(kLayers)));
}

}  // namespace
}  // namespace planex::query
