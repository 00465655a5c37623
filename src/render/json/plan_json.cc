#include "render/json/plan_json.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <variant>

#include "base/json_text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "model/plan_columns.h"
#include "render/json/json_writer.h"

namespace planex::render {
namespace {

using model::Cell;
using model::Direction;
using model::PlanModel;
using model::PlanUse;
using model::TableView;

void write_list(JsonWriter& json, std::span<const std::int64_t> numbers) {
  json.begin_array();
  for (const std::int64_t number : numbers) json.value(number);
  json.end_array();
}

void write_member(JsonWriter& json, std::string_view name, const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    json.member(name, *number);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    json.member(name, *real);
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    json.member(name, *text);
  } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
    json.key(name);
    write_list(json, *list);
  }
}

// Raw control characters inside a text would break the document; is_json_value does not check for
// them.
bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

class PlanWriter {
 public:
  PlanWriter(const PlanModel& model, const DocumentSink& sink,
             const std::vector<std::string>& hidden_folders)
      : model_(model), sink_(sink) {
    json_.hide_folders(hidden_folders);
  }

  Result<void> write() {
    text_ = "{\"schema\":\"planex.plan/1\"";
    PLANEX_TRY(write_engine());
    PLANEX_TRY(write_table("bindings"));
    PLANEX_TRY(write_table("profiles"));
    PLANEX_TRY(write_layers());
    PLANEX_TRY(write_tensors());
    PLANEX_TRY(write_table("blocks"));
    PLANEX_TRY(write_table("regions"));
    PLANEX_TRY(write_table("events"));
    PLANEX_TRY(write_table("kernels"));
    PLANEX_TRY(write_table("streams"));
    PLANEX_TRY(write_table("stream_pairs"));
    PLANEX_TRY(write_table("tactic_choices"));
    PLANEX_TRY(write_table("tactics"));
    PLANEX_TRY(write_table("calibration"));
    PLANEX_TRY(write_table("accuracy"));
    PLANEX_TRY(write_table("accuracy_outputs"));
    PLANEX_TRY(write_table("front"));
    PLANEX_TRY(write_table("front_layers"));
    PLANEX_TRY(write_table("difference_maps"));
    PLANEX_TRY(write_operations());
    PLANEX_TRY(write_iterations());
    PLANEX_TRY(write_table("machine_samples"));
    PLANEX_TRY(write_table("metadata"));
    PLANEX_TRY(write_table("diagnostics"));
    text_ += "\n}\n";
    return sink_(text_);
  }

 private:
  // What is known about a row, as members of an object that is open.
  void write_facts(std::size_t table, std::size_t row, std::string_view but = {}) {
    const TableView view(model_, table);
    const auto columns = model::plan_columns(table);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].use != PlanUse::kFact || columns[i].name == but) continue;
      const Cell cell = view.cell(i, row);
      // A layout without a name of its own is described by the raw format alone.
      const auto* text = std::get_if<std::string_view>(&cell);
      if (text != nullptr && text->empty() && columns[i].kind == model::ColumnKind::kWord) continue;
      write_member(json_, columns[i].name, cell);
    }
  }

  Result<void> write_engine() {
    json_.begin_object();
    write_facts(*model::find_table("engine"), 0);
    json_.end_object();
    text_ += ",\n\"engine\":" + json_.take();
    return {};
  }

  // Lists are left out if they are empty, except the layers.
  void begin_list(std::string_view name) {
    text_ += ",\n\"";
    text_ += name;
    text_ += "\":[";
    is_first_ = true;
  }
  void end_list() { text_ += "\n]"; }

  // The object in json_ is one record, on a line of its own.
  Result<void> end_record() {
    text_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    text_ += json_.take();
    return hand_on();
  }

  Result<void> hand_on() {
    if (text_.size() < kPieceBytes) return {};
    PLANEX_TRY(sink_(text_));
    text_.clear();
    return {};
  }

  Result<void> write_table(std::string_view name) {
    const std::size_t table = *model::find_table(name);
    const std::size_t rows = TableView(model_, table).row_count();
    if (rows == 0) return {};
    begin_list(name);
    for (std::size_t row = 0; row < rows; ++row) {
      json_.begin_object();
      write_facts(table, row);
      json_.end_object();
      PLANEX_TRY(end_record());
    }
    end_list();
    return {};
  }

  Result<void> write_layers() {
    begin_list("layers");
    const std::size_t table = *model::find_table("layers");
    const model::LayersTable& layers = model_.layers;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const model::LayerId layer(row);
      json_.begin_object();
      json_.key("name");
      layers.name.is_null(row) ? json_.null() : json_.value(model_.text(layers.name[row]));
      write_facts(table, row, "name");
      // Written explicitly, so that no reader guesses it from the type.
      if (layers.family.is_null(row) && !layers.type.is_null(row)) json_.key("family").null();
      write_ports(layer, Direction::kInput, "inputs");
      write_ports(layer, Direction::kConstant, "constants");
      write_ports(layer, Direction::kOutput, "outputs");
      write_sources(layer);
      write_attributes(layer);
      json_.end_object();
      PLANEX_TRY(end_record());
    }
    end_list();
    return {};
  }

  void write_ports(model::LayerId layer, Direction direction, std::string_view name) {
    const model::PortsTable& ports = model_.ports;
    const model::RowRange rows = model_.ports_of(layer);
    bool is_open = false;
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      if (ports.direction[row] != direction) continue;
      if (!is_open) json_.key(name).begin_array();
      is_open = true;
      write_port(row);
    }
    if (is_open) json_.end_array();
  }

  void write_port(std::size_t row) {
    const model::PortsTable& ports = model_.ports;
    json_.begin_object();
    json_.member("tensor", model_.text(model_.tensors.name[ports.tensor_id[row].index()]));
    std::optional<std::int64_t> data_bytes, bytes;
    if (!ports.dims.is_null(row)) {
      json_.key("dims");
      write_list(json_, ports.dims[row]);
      data_bytes = model::data_bytes(ports.dims[row], ports.dtype[row]);
      bytes = model::memory_bytes(ports.dims[row], ports.dtype[row], ports.layout[row],
                                  ports.strides[row]);
    }
    if (!ports.dtype.is_null(row)) json_.member("dtype", to_string(ports.dtype[row]));
    const std::string_view layout = to_string(ports.layout[row]);
    if (!layout.empty()) json_.member("layout", layout);
    if (!ports.raw_format.is_null(row)) {
      json_.member("raw_format", model_.text(ports.raw_format[row]));
    }
    if (!ports.strides.is_null(row)) {
      json_.key("strides");
      write_list(json_, ports.strides[row]);
    }
    if (!ports.location.is_null(row)) json_.member("location", model_.text(ports.location[row]));
    // Sizes follow from the rest, unless the producer knows better.
    if (!ports.data_bytes.is_null(row) && ports.data_bytes.get(row) != data_bytes) {
      json_.member("data_bytes", ports.data_bytes[row]);
    }
    if (!ports.bytes.is_null(row) && ports.bytes.get(row) != bytes) {
      json_.member("bytes", ports.bytes[row]);
    }
    json_.end_object();
  }

  void write_sources(model::LayerId layer) {
    const model::RowRange rows = model_.sources_of(layer);
    if (rows.count == 0) return;
    const std::size_t table = *model::find_table("sources");
    json_.key("sources").begin_array();
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      json_.begin_object();
      write_facts(table, row);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_attributes(model::LayerId layer) {
    const model::RowRange rows = model_.attributes_of(layer);
    if (rows.count == 0) return;
    const model::AttributesTable& attributes = model_.attributes;
    json_.key("attributes").begin_object();
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      json_.key(model_.text(attributes.key[row]));
      const std::string_view value = model_.text(attributes.value[row]);
      const model::ValueType type = attributes.value_type[row];
      const bool is_json = type != model::ValueType::kString && type != model::ValueType::kNull &&
                           base::is_json_value(value) && !has_control_character(value);
      is_json ? json_.raw(base::valid_utf8(value)) : json_.value(value);
    }
    json_.end_object();
  }

  // Most tensors are what their ports suggest: written by a layer, in no known region.
  bool is_plain(std::size_t row) const {
    const model::TensorsTable& tensors = model_.tensors;
    return tensors.role[row] == model::TensorRole::kActivation && tensors.producers[row] > 0 &&
           tensors.region_id.is_null(row) && tensors.offset_bytes.is_null(row);
  }

  Result<void> write_tensors() {
    const std::size_t table = *model::find_table("tensors");
    bool is_open = false;
    for (std::size_t row = 0; row < model_.tensors.row_count(); ++row) {
      if (is_plain(row)) continue;
      if (!is_open) begin_list("tensors");
      is_open = true;
      json_.begin_object();
      write_facts(table, row);
      json_.end_object();
      PLANEX_TRY(end_record());
    }
    if (is_open) end_list();
    return {};
  }

  Result<void> write_operations() {
    const model::OperationsTable& operations = model_.operations;
    if (operations.row_count() == 0) return {};
    begin_list("operations");
    const std::size_t table = *model::find_table("operations");
    // Ports follow their operation, so one walk sees all.
    std::size_t next_port = 0;
    for (std::size_t row = 0; row < operations.row_count(); ++row) {
      json_.begin_object();
      write_facts(table, row);
      const std::size_t first_port = next_port;
      const auto& operation_of = model_.operation_ports.operation_id;
      while (next_port < operation_of.size() && operation_of[next_port].index() == row) ++next_port;
      write_operation_ports(first_port, next_port, Direction::kInput, "inputs");
      write_operation_ports(first_port, next_port, Direction::kOutput, "outputs");
      json_.end_object();
      PLANEX_TRY(end_record());
    }
    end_list();
    return {};
  }

  void write_operation_ports(std::size_t first, std::size_t end, Direction direction,
                             std::string_view name) {
    const std::size_t table = *model::find_table("operation_ports");
    bool is_open = false;
    for (std::size_t row = first; row < end; ++row) {
      if (model_.operation_ports.direction[row] != direction) continue;
      if (!is_open) json_.key(name).begin_array();
      is_open = true;
      json_.begin_object();
      write_facts(table, row);
      json_.end_object();
    }
    if (is_open) json_.end_array();
  }

  // There may be many, of a few numbers each: so columns, as in planex.times/1.
  Result<void> write_iterations() {
    const std::size_t table = *model::find_table("iterations");
    const TableView view(model_, table);
    const auto columns = model::plan_columns(table);
    bool is_open = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!is_told(view, i, columns[i])) continue;
      text_ += is_open ? ",\n\"" : ",\n\"iterations\":{\n\"";
      is_open = true;
      text_ += columns[i].name;
      text_ += "\":";
      json_.begin_array();
      for (std::size_t row = 0; row < view.row_count(); ++row) {
        const Cell cell = view.cell(i, row);
        if (const auto* number = std::get_if<std::int64_t>(&cell)) {
          json_.value(*number);
        } else if (const auto* real = std::get_if<double>(&cell)) {
          json_.value(*real);
        } else {
          json_.null();
        }
      }
      json_.end_array();
      text_ += json_.take();
      PLANEX_TRY(hand_on());
    }
    if (is_open) text_ += "\n}";
    return {};
  }

  // A column that adds information: it is not all null and does not just count the rows.
  static bool is_told(const TableView& view, std::size_t column, const model::PlanColumn& info) {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      const Cell cell = view.cell(column, row);
      const auto* number = std::get_if<std::int64_t>(&cell);
      if (info.name == "index" && number != nullptr && *number == static_cast<std::int64_t>(row)) {
        continue;
      }
      if (!std::holds_alternative<std::monostate>(cell)) return true;
    }
    return false;
  }

  const PlanModel& model_;
  const DocumentSink& sink_;
  JsonWriter json_;
  std::string text_;  // not passed on yet
  bool is_first_ = true;
};

}  // namespace

Result<void> write_plan(const PlanModel& model, const DocumentSink& sink,
                        const std::vector<std::string>& hidden_folders) {
  return PlanWriter(model, sink, hidden_folders).write();
}

}  // namespace planex::render
