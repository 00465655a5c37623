// One engine as tables. Built by ingest through ModelBuilder, completed by analyze, read by all
// others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/files.h"
#include "base/string_pool.h"
#include "model/column.h"
#include "model/schema.h"
#include "model/types.h"

namespace planex::model {

#define PLANEX_DECLARE_COLUMN(kind, name, unit, description) kind name;
#define PLANEX_PUSH_NULL(kind, name, unit, description) name.push_null();
#define PLANEX_RESERVE(kind, name, unit, description) name.reserve(rows);
#define PLANEX_APPEND(kind, name, unit, description) name.append(other.name, map);
#define PLANEX_DECLARE_TABLE(Struct, table, COLUMNS, description)     \
  struct Struct {                                                     \
    COLUMNS(PLANEX_DECLARE_COLUMN)                                    \
    std::size_t row_count() const { return row_count_; }              \
    /* Adds a row of nulls and returns its index. */                  \
    std::size_t add_row() {                                           \
      COLUMNS(PLANEX_PUSH_NULL)                                       \
      return row_count_++;                                            \
    }                                                                 \
    void reserve(std::size_t rows) { COLUMNS(PLANEX_RESERVE) }        \
    /* Adds the rows of another table, each value as map gives it. */ \
    template <typename Map>                                           \
    void append(const Struct& other, const Map& map) {                \
      COLUMNS(PLANEX_APPEND)                                          \
      row_count_ += other.row_count_;                                 \
    }                                                                 \
                                                                      \
   private:                                                           \
    std::size_t row_count_ = 0;                                       \
  };
PLANEX_TABLES(PLANEX_DECLARE_TABLE)
#undef PLANEX_DECLARE_TABLE
#undef PLANEX_APPEND
#undef PLANEX_RESERVE
#undef PLANEX_PUSH_NULL
#undef PLANEX_DECLARE_COLUMN

// Rows [first, first + count) of a table.
struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t end() const { return first + count; }
};

class PlanModel {
 public:
#define PLANEX_DECLARE_MEMBER(Struct, table, COLUMNS, description) Struct table;
  PLANEX_TABLES(PLANEX_DECLARE_MEMBER)
#undef PLANEX_DECLARE_MEMBER
  base::StringPool strings;
  // The last ONNX model that was read, whose nodes the layers were connected to; null without one.
  // Its texts are among those that `strings` borrows, so it is kept anyway.
  std::shared_ptr<const base::Bytes> source_model;

  std::string_view text(base::StringId id) const { return strings.view(id); }

  // Rows of `ports`, `attributes` and `sources` of one layer. A layer's inputs come before its
  // outputs. Valid after ModelBuilder::finish.
  RowRange ports_of(LayerId layer) const { return range(first_port_, layer); }
  RowRange attributes_of(LayerId layer) const { return range(first_attribute_, layer); }
  RowRange sources_of(LayerId layer) const { return range(first_source_, layer); }

  // The layers are the nodes of an ONNX model: no engine chose kernels, types or an order for them.
  bool is_uncompiled() const { return text(engine.detail[0]) == "model"; }

  // The record belongs to the optimization profile that is shown (engine.profile_index), or to all.
  bool is_shown(LayerId layer) const {
    const auto profile = layers.profile_index.get(layer.index());
    return !profile || profile == engine.profile_index.get(0);
  }
  // A layer that does work in the shown profile: the subject of figures.
  bool does_work(LayerId layer) const {
    return layers.role[layer.index()] == Role::kWork && is_shown(layer);
  }

  // Only changes type or layout. Before the model is completed, as far as its family shows it.
  bool is_reformat(LayerId layer) const {
    const auto known = layers.is_reformat.get(layer.index());
    return known ? *known == 1 : layers.family[layer.index()] == Family::kReformat;
  }

  // The time of a layer for sums and shares: its median; its mean where layers have no medians, or
  // some have none (use_mean_times). Null where it has none.
  std::optional<double> time_ms(LayerId layer) const {
    const auto median = has_mean_times_ ? std::nullopt : layers.median_ms.get(layer.index());
    return median ? median : layers.mean_ms.get(layer.index());
  }
  // Some layer has a mean but no median, so medians would be added to means.
  void use_mean_times(bool means) { has_mean_times_ = means; }
  bool has_mean_times() const { return has_mean_times_; }

  // The value of an attribute as written, or an empty view where the layer has none.
  std::string_view attribute(LayerId layer, std::string_view key) const;
  // The same for a key that was looked up before (strings.find), for loops over all layers. A null
  // key is one that no layer has.
  std::string_view attribute(LayerId layer, base::StringId key) const;

  // Keeps the files alive that `strings` borrows from.
  void keep(std::shared_ptr<const base::Bytes> bytes) { kept_.push_back(std::move(bytes)); }

 private:
  friend class ModelBuilder;

  static RowRange range(const std::vector<std::uint32_t>& firsts, LayerId layer) {
    return {firsts[layer.index()], firsts[layer.index() + 1] - firsts[layer.index()]};
  }

  bool has_mean_times_ = false;
  std::vector<std::uint32_t> first_port_;
  std::vector<std::uint32_t> first_attribute_;
  std::vector<std::uint32_t> first_source_;
  std::vector<std::shared_ptr<const base::Bytes>> kept_;
};

// One value of any table, for code that treats all columns the same way (SQL, JSON).
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view,
                          std::span<const std::int64_t>>;

// Any table of a model, without its C++ type.
class TableView {
 public:
  // `table` is an index into schema().
  TableView(const PlanModel& model, std::size_t table) : model_(&model), table_(table) {}

  const TableInfo& info() const { return schema()[table_]; }
  std::size_t row_count() const;
  // Views in the cell live as long as the model. O(1).
  Cell cell(std::size_t column, std::size_t row) const;

 private:
  const PlanModel* model_;
  std::size_t table_;
};

// The index of a table in schema(), or nothing.
std::optional<std::size_t> find_table(std::string_view name);

}  // namespace planex::model
