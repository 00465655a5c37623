#include "ingest/planex/plan_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"
#include "ingest/planex/plan_cells.h"
#include "ingest/planex/plan_layers.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Direction;
using model::ModelBuilder;
using model::PlanColumn;

constexpr Schema kPlanSchema = {
    .name = "planex.plan",
    .version = 1,
    .what = "a plan",
    .hint = "such a file comes from `planex export PLAN --format plan`"};

// A list of records that need only their columns.
struct PlainList {
  std::string_view table;
  // Adds an empty record and returns its row.
  std::size_t (*add)(ModelBuilder& builder);
  std::string_view required;  // the column that each record must have, if there is one
};
constexpr PlainList kPlainLists[] = {
    {"bindings",
     [](ModelBuilder& builder) {
       builder.add_binding({}, Direction::kNull);
       return builder.model().bindings.row_count() - 1;
     },
     "name"},
    {"profiles", [](ModelBuilder& builder) { return builder.model().profiles.add_row(); },
     "profile_index"},
    {"blocks",
     [](ModelBuilder& builder) {
       model::BlocksTable& blocks = builder.model().blocks;
       const std::size_t row = blocks.add_row();
       blocks.block_id.set(row, model::BlockId(row));
       return row;
     },
     {}},
    {"regions",
     [](ModelBuilder& builder) {
       model::RegionsTable& regions = builder.model().regions;
       const std::size_t row = regions.add_row();
       regions.region_id.set(row, model::RegionId(row));
       return row;
     },
     {}},
    {"events", [](ModelBuilder& builder) { return builder.model().events.add_row(); }, "layer_id"},
    {"machine_samples",
     [](ModelBuilder& builder) { return builder.model().machine_samples.add_row(); }, "time_ms"},
    {"kernels", [](ModelBuilder& builder) { return builder.model().kernels.add_row(); }, {}},
    {"streams", [](ModelBuilder& builder) { return builder.model().streams.add_row(); }, {}},
    {"stream_pairs",
     [](ModelBuilder& builder) { return builder.model().stream_pairs.add_row(); },
     {}},
    {"tactic_choices",
     [](ModelBuilder& builder) {
       model::TacticChoicesTable& choices = builder.model().tactic_choices;
       const std::size_t row = choices.add_row();
       choices.choice_id.set(row, model::ChoiceId(row));
       return row;
     },
     {}},
    {"tactics", [](ModelBuilder& builder) { return builder.model().tactics.add_row(); },
     "choice_id"},
    {"calibration", [](ModelBuilder& builder) { return builder.model().calibration.add_row(); },
     "tensor"},
    {"accuracy", [](ModelBuilder& builder) { return builder.model().accuracy.add_row(); },
     "tensor"},
    {"accuracy_outputs",
     [](ModelBuilder& builder) { return builder.model().accuracy_outputs.add_row(); }, "tensor"},
    {"front", [](ModelBuilder& builder) { return builder.model().front.add_row(); }, "point"},
    {"front_layers", [](ModelBuilder& builder) { return builder.model().front_layers.add_row(); },
     "point"},
    {"difference_maps",
     [](ModelBuilder& builder) { return builder.model().difference_maps.add_row(); }, "tensor"},
    {"metadata", [](ModelBuilder& builder) { return builder.model().metadata.add_row(); }, "key"},
    {"diagnostics", [](ModelBuilder& builder) { return builder.model().diagnostics.add_row(); },
     "code"},
};

class PlanReader {
 public:
  PlanReader(const Artefact& artefact, ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        json_(artefact, kPlanSchema),
        cells_(artefact, json_, builder),
        layers_(json_, cells_, builder) {}

  Result<void> read() {
    model::EngineTable& engine = builder_.model().engine;
    const auto asked_profile = engine.profile_index.get(0);
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_section(key, value, place);
        }));
    if (!has_layers_) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no list \"layers\"", kPlanSchema.what),
                   .file = artefact_.path,
                   .hint = std::string(kPlanSchema.hint)});
    }
    json_.input().report_trailing(builder_);
    PLANEX_TRY(check_references());
    PLANEX_TRY(fill_tensors());
    // The user's request takes precedence over what the file shows.
    if (asked_profile) engine.profile_index.set(0, asked_profile);
    finish();
    return {};
  }

 private:
  // The content of a tensor's record, until the layers are known.
  struct Tensor {
    JsonText name;
    std::size_t first_cell = 0, cell_count = 0;
  };

  Result<void> read_section(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (JsonRecords::is_null(value) && key != "layers") return {};
    if (key == "engine") return read_engine(value, place);
    if (key == "layers") {
      has_layers_ = true;
      return json_.each_item(
          value, place, "a list of layers",
          [&](ondemand::value& item, const JsonPlace& at) { return layers_.read(item, at); });
    }
    if (key == "tensors") {
      return json_.each_item(
          value, place, "a list of tensors",
          [&](ondemand::value& item, const JsonPlace& at) { return read_tensor(item, at); });
    }
    if (key == "operations") {
      return json_.each_item(
          value, place, "a list of operations",
          [&](ondemand::value& item, const JsonPlace& at) { return read_operation(item, at); });
    }
    if (key == "iterations") return read_iterations(value, place);
    const auto* list = std::ranges::find(kPlainLists, key, &PlainList::table);
    if (list != std::end(kPlainLists)) return read_plain_list(*list, value, place);
    return keep_unknown("plan", key, key, value, place);
  }

  Result<void> keep_unknown(std::string_view section, std::string_view key,
                            std::string_view kept_as, ondemand::value& value,
                            const JsonPlace& place) {
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata(section, kept_as, text.view, artefact_.path);
    cells_.report_unknown_key(key, place, "metadata");
    return {};
  }

  Result<void> read_engine(ondemand::value& value, const JsonPlace& place) {
    PlanTable table("engine");
    return json_.each_field(
        value, place, "an object",
        [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
          const PlanColumn* column = table.find(key);
          if (column == nullptr) return keep_unknown("engine", key, key, field, at);
          return cells_.set(table, *column, 0, field, at);
        });
  }

  Result<void> read_plain_list(const PlainList& list, ondemand::value& value,
                               const JsonPlace& place) {
    PlanTable table(list.table);
    std::size_t index = 0;
    return json_.each_item(
        value, place, "a list of records",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          cells_.clear_lists();
          const std::size_t row = list.add(builder_);
          bool has_required = list.required.empty();
          PLANEX_TRY(json_.each_field(
              item, at, "an object",
              [&](std::string_view key, ondemand::value& field,
                  const JsonPlace& in_field) -> Result<void> {
                const PlanColumn* column = table.find(key);
                if (column == nullptr) {
                  return keep_unknown(list.table, key, format("{}/{}", index, key), field,
                                      in_field);
                }
                has_required =
                    has_required || (key == list.required && !JsonRecords::is_null(field));
                return cells_.set(table, *column, row, field, in_field);
              }));
          ++index;
          if (has_required) return {};
          return fail(json_.input().wrong_value(format("{}/{}", at.pointer(), list.required),
                                                "missing", "its subject"));
        });
  }

  // Columns: {"latency_ms": [0.9, 0.8]}. The first one says how many rows there are.
  Result<void> read_iterations(ondemand::value& value, const JsonPlace& place) {
    PlanTable columns("iterations");
    model::IterationsTable& table = builder_.model().iterations;
    if (table.row_count() > 0) {
      return fail(json_.input().wrong_value(place.pointer(), "repeated", "one object"));
    }
    bool is_first = true;
    auto read = json_.each_field(
        value, place, "an object of columns",
        [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
          const PlanColumn* column = columns.find(key);
          if (column == nullptr) return keep_unknown("iterations", key, key, field, at);
          std::size_t row = 0;
          PLANEX_TRY(json_.each_item(
              field, at, "a list of numbers",
              [&](ondemand::value& item, const JsonPlace& in_column) -> Result<void> {
                const std::size_t limit = builder_.limits().iterations;
                if (row >= limit) return fail(model::too_many("iterations", limit, artefact_.path));
                if (is_first) {
                  table.add_row();
                } else if (row == table.row_count()) {
                  return fail(wrong_length(at, row + 1));
                }
                return cells_.set(columns, *column, row++, item, in_column);
              }));
          if (row != table.row_count()) return fail(wrong_length(at, row));
          is_first = false;
          return {};
        });
    if (!read) return read;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (table.index.is_null(row)) table.index.set(row, static_cast<std::int64_t>(row));
    }
    return {};
  }

  Error wrong_length(const JsonPlace& place, std::size_t length) {
    return json_.input().wrong_value(
        place.pointer(), format("a list of {} numbers or more", length),
        format("{}, as in the previous column", builder_.model().iterations.row_count()));
  }

  Result<void> read_tensor(ondemand::value& value, const JsonPlace& place) {
    Tensor tensor{.first_cell = tensor_cells_.size()};
    bool has_name = false;
    PLANEX_TRY(json_.each_field(
        value, place, "an object",
        [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
          if (key == "name") {
            has_name = true;
            PLANEX_ASSIGN(tensor.name, json_.text(field, at));
            return {};
          }
          const PlanColumn* column = tensor_table_.find(key);
          if (column == nullptr) {
            return keep_unknown("tensors", key, format("{}/{}", tensors_.size(), key), field, at);
          }
          PLANEX_ASSIGN(model::PlanValue cell, cells_.read(tensor_table_, *column, field, at));
          if (!std::holds_alternative<std::monostate>(cell)) {
            tensor_cells_.emplace_back(column, cell);
          }
          return {};
        }));
    if (!has_name) {
      return fail(
          json_.input().wrong_value(place.pointer() + "/name", "missing", "the tensor's name"));
    }
    tensor.cell_count = tensor_cells_.size() - tensor.first_cell;
    tensors_.push_back(tensor);
    return {};
  }

  Result<void> fill_tensors() {
    model::PlanModel& model = builder_.model();
    const JsonPlace root;
    const JsonPlace list(root, "tensors");
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const Tensor& tensor = tensors_[i];
      const JsonPlace place(list, i);
      const model::TensorId id = builder_.find_tensor(tensor.name.view);
      if (id.is_null()) {
        cells_.report(
            "unknown-tensor",
            format("no layer reads or writes {}: ignored", base::quoted(tensor.name.view)), place);
        continue;
      }
      for (std::size_t at = tensor.first_cell; at < tensor.first_cell + tensor.cell_count; ++at) {
        const auto& [column, cell] = tensor_cells_[at];
        if (column->set(model, id.index(), cell)) continue;
        cells_.report("unknown-word",
                      format("the {} of a tensor is not a known word", column->name),
                      JsonPlace(place, column->name));
      }
      const model::RegionId region = model.tensors.region_id[id.index()];
      PLANEX_TRY(check_reference(region, model.regions.row_count(), "tensors", i, "region_id"));
    }
    return {};
  }

  // An operation's ports, like a layer's, wait until the record is complete.
  struct OperationPort {
    JsonText tensor;
    IntRange dims;
    model::DType dtype = model::DType::kNull;
    std::optional<std::int64_t> stored_bytes;
  };

  Result<void> read_operation(ondemand::value& value, const JsonPlace& place) {
    cells_.clear_lists();
    const model::OperationId id = builder_.add_operation({});
    std::array<std::vector<OperationPort>, 2> ports;
    PLANEX_TRY(json_.each_field(
        value, place, "an operation",
        [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
          if (key == "inputs") return read_operation_ports(ports[0], id, field, at);
          if (key == "outputs") return read_operation_ports(ports[1], id, field, at);
          const PlanColumn* column = operation_table_.find(key);
          if (column == nullptr) {
            return keep_unknown("operations", key, format("{}/{}", id.index(), key), field, at);
          }
          return cells_.set(operation_table_, *column, id.index(), field, at);
        }));
    for (const std::size_t side : {0u, 1u}) {
      for (const OperationPort& port : ports[side]) {
        builder_.add_operation_port(id, side == 0 ? Direction::kInput : Direction::kOutput,
                                    {.tensor = port.tensor.view,
                                     .dims = cells_.ints(port.dims),
                                     .dims_known = port.dims.is_known,
                                     .dtype = port.dtype,
                                     .stored_bytes = port.stored_bytes},
                                    port.tensor.lifetime);
      }
    }
    return {};
  }

  Result<void> read_operation_ports(std::vector<OperationPort>& ports, model::OperationId id,
                                    ondemand::value& value, const JsonPlace& place) {
    if (JsonRecords::is_null(value)) return {};
    return json_.each_item(value, place, "a list of tensors",
                           [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                             OperationPort& port = ports.emplace_back();
                             if (JsonRecords::is_text(item)) {
                               PLANEX_ASSIGN(port.tensor, json_.text(item, at));
                               return {};
                             }
                             return json_.each_field(
                                 item, at, "a tensor",
                                 [&](std::string_view key, ondemand::value& field,
                                     const JsonPlace& in_field) -> Result<void> {
                                   if (key == "tensor") {
                                     PLANEX_ASSIGN(port.tensor, json_.text(field, in_field));
                                   } else if (key == "dims") {
                                     PLANEX_ASSIGN(port.dims, cells_.list(field, in_field));
                                   } else if (key == "dtype") {
                                     PLANEX_ASSIGN(port.dtype, cells_.dtype(field, in_field));
                                   } else if (key == "stored_bytes") {
                                     PLANEX_ASSIGN(port.stored_bytes, cells_.size(field, in_field));
                                   } else {
                                     return keep_unknown("operations", key,
                                                         format("{}/{}", id.index(), key), field,
                                                         in_field);
                                   }
                                   return {};
                                 });
                           });
  }

  // Records refer to each other by position. A position that does not exist is an error, not an
  // oddity: everything after it may be shifted.
  template <typename Id>
  Result<void> check_reference(Id id, std::size_t count, std::string_view list, std::size_t row,
                               std::string_view column) {
    if (id.is_null() || id.index() < count) return {};
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = format("not {}: /{}/{}/{} is {}, but that list has {}", kPlanSchema.what, list,
                           row, column, id.index(), base::counted(count, "record")),
         .file = artefact_.path,
         .json_pointer = format("/{}/{}/{}", list, row, column)});
  }

  Result<void> check_references() {
    const model::PlanModel& model = builder_.model();
    const std::size_t layers = model.layers.row_count();
    for (std::size_t row = 0; row < layers; ++row) {
      PLANEX_TRY(check_reference(model.layers.block_id[row], model.blocks.row_count(), "layers",
                                 row, "block_id"));
    }
    for (std::size_t row = 0; row < model.blocks.row_count(); ++row) {
      // A block comes before those inside it, so none can contain itself.
      PLANEX_TRY(check_reference(model.blocks.parent_id[row], row, "blocks", row, "parent_id"));
    }
    for (std::size_t row = 0; row < model.events.row_count(); ++row) {
      PLANEX_TRY(check_reference(model.events.layer_id[row], layers, "events", row, "layer_id"));
      PLANEX_TRY(check_reference(model.events.target_layer_id[row], layers, "events", row,
                                 "target_layer_id"));
    }
    for (std::size_t row = 0; row < model.kernels.row_count(); ++row) {
      PLANEX_TRY(check_reference(model.kernels.layer_id[row], layers, "kernels", row, "layer_id"));
    }
    for (std::size_t row = 0; row < model.tactic_choices.row_count(); ++row) {
      PLANEX_TRY(check_reference(model.tactic_choices.layer_id[row], layers, "tactic_choices", row,
                                 "layer_id"));
    }
    const std::size_t choices = model.tactic_choices.row_count();
    for (std::size_t row = 0; row < model.tactics.row_count(); ++row) {
      PLANEX_TRY(
          check_reference(model.tactics.choice_id[row], choices, "tactics", row, "choice_id"));
      PLANEX_TRY(check_reference(model.tactics.layer_id[row], layers, "tactics", row, "layer_id"));
    }
    return {};
  }

  // What a handwritten file can omit.
  void finish() {
    model::PlanModel& model = builder_.model();
    base::StringPool& strings = builder_.strings();
    const std::size_t layers = model.layers.row_count();
    model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(layers));
    for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
      if (model.metadata.file.is_null(row)) {
        model.metadata.file.set(row, strings.intern(artefact_.path));
      }
    }
    for (std::size_t row = 0; row < model.events.row_count(); ++row) {
      if (!model.events.stream.is_null(row)) continue;
      model.events.stream.set(row, model.layers.stream[model.events.layer_id[row].index()]);
    }
    if (!model.engine.detail.is_null(0)) return;
    const bool names_only = layers > 0 && !layers_.has_detail();
    model.engine.detail.set(0, strings.intern(names_only ? "names-only" : "full"));
    if (layers == 0) {
      builder_.add_diagnostic(
          {.code = "no-layers", .message = "the list \"layers\" is empty", .file = artefact_.path});
    }
  }

  const Artefact& artefact_;
  ModelBuilder& builder_;
  JsonRecords json_;
  PlanCells cells_;
  PlanLayers layers_;
  PlanTable tensor_table_{"tensors"};
  PlanTable operation_table_{"operations"};

  bool has_layers_ = false;
  std::vector<Tensor> tensors_;
  std::vector<std::pair<const PlanColumn*, model::PlanValue>> tensor_cells_;
};

}  // namespace

Confidence sniff_plan(std::string_view head) { return sniff_schema(head, kPlanSchema); }

Result<void> read_plan(const Artefact& artefact, ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  const std::size_t bytes = artefact.bytes->view().size();
  // A vector that grows by doubling would touch its memory twice; reserving costs only address
  // space.
  builder.reserve({.layers = bytes / 1000,
                   .attributes = bytes / 50,
                   .ports = bytes / 300,
                   .strings = bytes / 40});
  return PlanReader(artefact, builder).read();
}

}  // namespace planex::ingest::planex_files
