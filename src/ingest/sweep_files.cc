#include "ingest/sweep_files.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr Schema kSweepSchema = {.name = "planex.sweep-plan",
                                 .version = 1,
                                 .what = "a sweep",
                                 .hint = "such a file comes from `planex sweep MODEL -o DIR`"};
constexpr Schema kRunSchema = {.name = "planex.sweep-run",
                               .version = 1,
                               .what = "a run of a sweep",
                               .hint = "such a file comes from `planex sweep MODEL -o DIR`"};

Result<void> set_text(JsonRecords& json, ondemand::value& value, const JsonPlace& place,
                      std::string& target) {
  if (JsonRecords::is_null(value)) return {};
  PLANEX_ASSIGN(const JsonText text, json.text(value, place));
  target = text.view;
  return {};
}

Result<void> set_texts(JsonRecords& json, ondemand::value& value, const JsonPlace& place,
                       std::vector<std::string>& target) {
  return json.each_item(value, place, "a list of texts",
                        [&](ondemand::value& item, const JsonPlace& at) {
                          return set_text(json, item, at, target.emplace_back());
                        });
}

Result<void> skip(JsonRecords& json, ondemand::value& value, const JsonPlace& place) {
  PLANEX_TRY(json.raw(value, place));
  return {};
}

class SweepReader {
 public:
  explicit SweepReader(const Artefact& artefact)
      : artefact_(artefact), json_(artefact, kSweepSchema) {}

  Result<SweepFile> read() {
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_field(key, value, place);
        }));
    PLANEX_TRY(check());
    return std::move(sweep_);
  }

 private:
  Result<void> read_field(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (key == "model") return set_text(json_, value, place, sweep_.model);
    if (key == "repeats") {
      PLANEX_ASSIGN(const auto repeats, json_.integer(value, place));
      sweep_.repeats = repeats.value_or(1);
      return {};
    }
    if (key == "axes") {
      return json_.each_item(
          value, place, "a list of axes",
          [this](ondemand::value& item, const JsonPlace& at) { return read_axis(item, at); });
    }
    if (key == "cells") {
      return json_.each_item(
          value, place, "a list of cells",
          [this](ondemand::value& item, const JsonPlace& at) { return read_cell(item, at); });
    }
    return skip(json_, value, place);
  }

  Result<void> read_axis(ondemand::value& value, const JsonPlace& place) {
    SweepFile::Axis& axis = sweep_.axes.emplace_back();
    return json_.each_field(
        value, place, "an axis",
        [&](std::string_view key, ondemand::value& member, const JsonPlace& at) -> Result<void> {
          if (key == "name") return set_text(json_, member, at, axis.name);
          if (key == "values") return set_texts(json_, member, at, axis.values);
          return skip(json_, member, at);
        });
  }

  Result<void> read_cell(ondemand::value& value, const JsonPlace& place) {
    SweepFile::Cell& cell = sweep_.cells.emplace_back();
    return json_.each_field(
        value, place, "a cell",
        [&](std::string_view key, ondemand::value& member, const JsonPlace& at) -> Result<void> {
          if (key == "id") return set_text(json_, member, at, cell.id);
          if (key == "values") return set_texts(json_, member, at, cell.values);
          return skip(json_, member, at);
        });
  }

  Failure bad(std::string message, std::string pointer) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not a sweep: {}", message),
                 .file = artefact_.path,
                 .json_pointer = std::move(pointer)});
  }

  // Ids are names of folders: none may lead outside the sweep's folder.
  Result<void> check() const {
    if (sweep_.model.empty()) return bad("it names no model", "/model");
    if (sweep_.cells.empty()) return bad("it has no cells", "/cells");
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < sweep_.cells.size(); ++i) {
      const SweepFile::Cell& cell = sweep_.cells[i];
      const std::string place = format("/cells/{}", i);
      if (cell.id.empty() || cell.id.front() == '.' || cell.id.find('/') != std::string::npos) {
        return bad(format("{} is not a valid name for a cell's folder", base::quoted(cell.id)),
                   place + "/id");
      }
      if (!ids.insert(cell.id).second) {
        return bad(format("two cells are called {}", base::quoted(cell.id)), place + "/id");
      }
      if (cell.values.size() != sweep_.axes.size()) {
        return bad(format("a cell has {} values, expected one for each of {} axes",
                          cell.values.size(), sweep_.axes.size()),
                   place + "/values");
      }
      for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
        const auto& values = sweep_.axes[axis].values;
        if (std::ranges::find(values, cell.values[axis]) != values.end()) continue;
        return bad(format("{} is not a value of {}", base::quoted(cell.values[axis]),
                          base::quoted(sweep_.axes[axis].name)),
                   format("{}/values/{}", place, axis));
      }
    }
    return {};
  }

  const Artefact& artefact_;
  JsonRecords json_;
  SweepFile sweep_;
};

Result<void> read_error(JsonRecords& json, ondemand::value& value, const JsonPlace& place,
                        std::optional<Error>& target) {
  if (JsonRecords::is_null(value)) return {};
  Error& error = target.emplace();
  error.code = ErrorCode::kExternalTool;
  return json.each_field(
      value, place, "an error",
      [&](std::string_view key, ondemand::value& member, const JsonPlace& at) -> Result<void> {
        if (key == "message") return set_text(json, member, at, error.message);
        if (key == "file") return set_text(json, member, at, error.file);
        if (key == "context") return set_text(json, member, at, error.context);
        if (key == "hint") return set_text(json, member, at, error.hint);
        return skip(json, member, at);
      });
}

}  // namespace

Result<SweepFile> read_sweep(const Artefact& artefact) { return SweepReader(artefact).read(); }

Result<SweepRunFile> read_sweep_run(const Artefact& artefact) {
  JsonRecords json(artefact, kRunSchema);
  SweepRunFile run;
  std::string state;
  PLANEX_TRY(json.read_document(
      [&](std::string_view key, ondemand::value& value, const JsonPlace& place) -> Result<void> {
        if (key == "cell") return set_text(json, value, place, run.cell);
        if (key == "state") return set_text(json, value, place, state);
        if (key == "engine") return set_text(json, value, place, run.engine);
        if (key == "error") return read_error(json, value, place, run.error);
        if (key == "run") {
          PLANEX_ASSIGN(const auto number, json.integer(value, place));
          run.run = number.value_or(1);
          return {};
        }
        return skip(json, value, place);
      }));
  run.is_done = state == "done";
  return run;
}

Confidence sniff_sweep_run(std::string_view head) { return sniff_schema(head, kRunSchema); }

}  // namespace planex::ingest
