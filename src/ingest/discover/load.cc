#include "ingest/discover/load.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/registry.h"
#include "ingest/discover/run_units.h"

namespace planex::ingest {
namespace {

using base::format;

// The device, as named by trtexec's options or by the oldest form of TREx's metadata, a list of
// devices.
base::StringId device_of(model::ModelBuilder& builder) {
  const model::MetadataTable& metadata = builder.model().metadata;
  base::StringPool& strings = builder.strings();
  const base::StringId selected = strings.intern("Selected Device");
  const base::StringId section = strings.intern("device_properties");
  const base::StringId name = strings.intern("Name");
  base::StringId listed;
  bool is_one_kind = true;
  for (std::size_t row = 0; row < metadata.row_count(); ++row) {
    const base::StringId value = metadata.value[row];
    if (metadata.key[row] == selected) return value;
    if (metadata.section[row] != section || metadata.key[row] != name) continue;
    // If a machine has several kinds, the device used is unknown.
    if (!listed.is_null()) {
      is_one_kind = is_one_kind && strings.view(value) == strings.view(listed);
    }
    listed = value;
  }
  return is_one_kind ? listed : base::StringId();
}

// The details level of the engine, if its readers did not set it.
std::string_view detail_of(model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  if (model.layers.row_count() == 0) return "no-layers";
  return model.ports.row_count() == 0 ? "names-only" : "full";
}

// Whether the model already has what files of this part would add. A plan is a whole engine: times
// beside it may be those that it was exported with, and would then count twice.
bool has_part(const model::PlanModel& model, Part part) {
  switch (part) {
    case Part::kTimes:
      return model.iterations.row_count() > 0;
    case Part::kMetadata:
      return model.metadata.row_count() > 0;
    case Part::kKernels:
      return model.kernels.row_count() > 0;
    case Part::kSource:
      return model.operations.row_count() > 0;
    case Part::kAccuracy:
      return model.calibration.row_count() + model.accuracy.row_count() > 0;
    default:
      return false;
  }
}

class Loader {
 public:
  Loader(const Discovery& discovery, const base::FileSource& source)
      : discovery_(discovery), source_(discovery.source == nullptr ? source : *discovery.source) {}

  Result<model::PlanModel> run() {
    model::ModelBuilder builder;
    model::EngineTable& engine = builder.model().engine;
    const base::StringId name = builder.strings().intern(discovery_.engine_name);
    engine.name.set(0, name);
    engine.profile_index.set(0, discovery_.profile_index);
    for (const model::DiagnosticFacts& remark : discovery_.remarks) builder.add_diagnostic(remark);
    PLANEX_TRY(pair_runs(builder));
    for (const FoundFile& file : discovery_.files) {
      if (file.used) PLANEX_TRY(read(file, builder));
    }
    PLANEX_TRY(check_profile_index(builder.model()));
    if (discovery_.is_name_given) engine.name.set(0, name);
    if (engine.device.is_null(0)) engine.device.set(0, device_of(builder));
    // A plan contains the diagnostics from when it was written.
    const bool is_plan = std::ranges::any_of(discovery_.files, [](const FoundFile& file) {
      return file.used && file.reader->id == "planex-plan";
    });
    if (!is_plan) complete_names(builder);
    if (engine.detail.is_null(0))
      engine.detail.set(0, builder.strings().intern(detail_of(builder)));
    return builder.finish();
  }

 private:
  // The log from which a run can be chosen: the engine's own, otherwise the first.
  const FoundFile* log_of_runs() const {
    const FoundFile* found = nullptr;
    for (const FoundFile& file : discovery_.files) {
      if (!file.used || file.is_build_only) continue;
      const bool has_runs = file.reader->runs != nullptr || file.reader->chooses_run;
      if (has_runs && (found == nullptr || file.is_engine)) found = &file;
    }
    return found;
  }

  // Which documents of profiles and times belong to the run that is shown.
  Result<void> pair_runs(model::ModelBuilder& builder) {
    const FoundFile* log = log_of_runs();
    std::vector<UnitFile> units;
    std::vector<const FoundFile*> of;
    bool has_several = false;
    MeasuredRuns runs;
    if (log != nullptr && log->reader->measured_runs != nullptr && has_unit_files()) {
      PLANEX_ASSIGN(const Decoded text, text_of(*log));
      runs = log->reader->measured_runs(text.bytes->view());
    }
    const auto timed = runs.runs.size() > 1 ? TimedDocuments::kAll : TimedDocuments::kSeveral;
    for (const FoundFile& file : discovery_.files) {
      if (!is_unit_file(file)) continue;
      PLANEX_ASSIGN(const Decoded text, text_of(file));
      units.push_back({.part = file.reader->part,
                       .documents = file.reader->documents(text.bytes->view(), timed)});
      of.push_back(&file);
      has_several = has_several || units.back().documents.size() > 1;
    }
    if (discovery_.run && log == nullptr && !has_several) {
      return fail({.code = ErrorCode::kUsage,
                   .message = format("--run {}: none of the files is a log with several runs",
                                     *discovery_.run),
                   .hint = "name the log with --log"});
    }
    if (!has_several && runs.runs.size() < 2) return {};
    PLANEX_TRY(pair_documents(runs, discovery_.run, units));
    for (std::size_t i = 0; i < units.size(); ++i) {
      // If a profile is all there is of the engine, it can't be left out.
      if (of[i]->is_engine && !units[i].document) units[i].document = units[i].documents.size() - 1;
      if (!units[i].document) {
        builder.add_diagnostic(
            {.code = "run-not-paired",
             .message = format("the {} left out: {}",
                               units[i].part == Part::kProfile ? "per-layer times were"
                                                               : "times of inferences were",
                               units[i].reason),
             .file = of[i]->path});
      }
      units_.emplace(of[i], std::move(units[i]));
    }
    return {};
  }

  static bool is_unit_file(const FoundFile& file) {
    return file.used && file.reader->documents != nullptr;
  }
  bool has_unit_files() const { return std::ranges::any_of(discovery_.files, is_unit_file); }

  Result<Decoded> text_of(const FoundFile& file) const {
    PLANEX_ASSIGN(auto bytes, source_.read(file.path, base::Access::kWhole));
    return decode(std::move(bytes), file.path);
  }

  // Readers of formats without optimization profiles leave the count open.
  Result<void> check_profile_index(const model::PlanModel& model) const {
    const std::int64_t asked = discovery_.profile_index.value_or(0);
    // Files can contain any number, including the largest: compare them, don't count up to them.
    std::int64_t last =
        std::max<std::int64_t>(model.engine.profile_count.get(0).value_or(1), 1) - 1;
    for (std::size_t row = 0; row < model.profiles.row_count(); ++row) {
      last = std::max(last, model.profiles.profile_index.get(row).value_or(0));
    }
    if (asked <= last) return {};
    const auto count = static_cast<std::size_t>(last) + 1;
    return fail({.code = ErrorCode::kUsage,
                 .message = format("there is no optimization profile {}: the files have {}", asked,
                                   base::counted(count, "profile")),
                 .hint = "profiles are counted from 0; for a file whose name is a number write "
                         "./NUMBER"});
  }

  // A profile that the user named but that belongs to another engine would give times to a few
  // layers, or to none.
  static Result<void> check_named_profile(const FoundFile& file, std::size_t file_row,
                                          const model::PlanModel& model) {
    if (file.reader->part != Part::kProfile || model.layers.row_count() == 0) return {};
    const auto rows = model.files.record_count.get(file_row);
    const auto joined = model.files.joined_count.get(file_row);
    if (!rows || !joined || *rows == 0 || 4 * *joined >= *rows) return {};
    return fail({.code = ErrorCode::kBadInput,
                 .message = format(
                     "the profile belongs to another engine: {} of its {} rows match a layer of "
                     "this one",
                     *joined, *rows),
                 .file = file.path,
                 .hint = "use the profile measured with this engine"});
  }

  Result<void> read(const FoundFile& file, model::ModelBuilder& builder) {
    model::EngineTable& engine = builder.model().engine;
    if (is_plan_ && !file.is_named && has_part(builder.model(), file.reader->part)) {
      builder.add_diagnostic(
          {.code = "left-out",
           .severity = model::Severity::kInfo,
           .message = "the file was left out: the plan already contains this; name the file with "
                      "an option to use it",
           .file = file.path});
      return {};
    }
    const auto unit = units_.find(&file);
    if (unit != units_.end() && !unit->second.document) return {};
    // Two runs in one table would be meaningless: a plan's own run, and the profiled ones of a
    // trace.
    if (file.reader->part == Part::kTimes) builder.model().iterations = {};
    // Most of a model is weights, and most of a trace is tables about other things.
    const bool is_sparse =
        file.reader->part == Part::kSource || file.reader->part == Part::kKernels;
    const auto access = is_sparse ? base::Access::kSparse : base::Access::kWhole;
    PLANEX_ASSIGN(auto bytes, source_.read(file.path, access));
    if (file.member) PLANEX_TRY(check_member(*file.member, bytes->view(), file.path));
    const std::uint64_t size_bytes = bytes->view().size();
    Artefact artefact{
        .path = file.path, .is_build_only = file.is_build_only, .is_engine = file.is_engine};
    if (&file == log_of_runs()) artefact.run = discovery_.run;
    PLANEX_ASSIGN(Decoded decoded, decode(bytes, file.path));
    artefact.bytes = std::move(decoded.bytes);
    std::string evidence = file.evidence;
    std::size_t begin = 0;
    if (unit != units_.end()) {
      const RunDocument& document = unit->second.documents[*unit->second.document];
      begin = document.begin;
      if (unit->second.documents.size() > 1) {
        artefact.bytes =
            base::make_bytes(artefact.bytes->view().substr(document.begin, document.size));
        evidence += format("; {}", unit->second.reason);
      }
    }
    artefact.file_row = builder.add_file(file.path, file.reader->id, evidence, size_bytes);
    for (const model::DiagnosticFacts& fact : decoded.diagnostics) builder.add_diagnostic(fact);
    if (file.is_engine) {
      engine.importer.set(0, builder.strings().intern(file.reader->importer));
      is_plan_ = file.reader->importer == "planex";
    }
    const std::size_t first_diagnostic = builder.model().diagnostics.row_count();
    auto read = file.reader->read(artefact, builder);
    if (begin > 0) move_offsets(builder.model().diagnostics, first_diagnostic, begin);
    // Before the reader's own error: half of one file and half of another are wrong in any way.
    if (!bytes->is_intact()) return fail(base::changed_error(file.path));
    if (auto limit = builder.exceeded_limit(file.path)) return fail(std::move(*limit));
    if (read && file.is_named && !file.is_engine) {
      return check_named_profile(file, artefact.file_row, builder.model());
    }
    if (read) return {};
    Error error = std::move(read).error();
    if (error.byte_offset) *error.byte_offset += begin;
    if (!decoded.diagnostics.empty() && error.byte_offset) {
      if (!error.context.empty()) error.context += '\n';
      error.context += "the offset refers to the decoded text";
    }
    if (!file.is_named && !file.is_engine) {
      // Half of its times would give wrong shares, so it must not be skipped silently.
      if (!error.hint.empty()) error.hint += "; ";
      error.hint += "to see the engine without this file, move the file away";
    }
    return fail(std::move(error));
  }

  // Converts what the reader said about a part of a file to locations in the whole file.
  static void move_offsets(model::DiagnosticsTable& table, std::size_t first, std::size_t by) {
    for (std::size_t row = first; row < table.row_count(); ++row) {
      const auto offset = table.byte_offset.get(row);
      if (offset) table.byte_offset.set(row, *offset + static_cast<std::int64_t>(by));
    }
  }

  const Discovery& discovery_;
  const base::FileSource& source_;
  std::unordered_map<const FoundFile*, UnitFile> units_;
  bool is_plan_ = false;
};

}  // namespace

Result<model::PlanModel> load(const LoadRequest& request, const base::FileSource& source) {
  PLANEX_ASSIGN(const Discovery discovery, discover(request, source));
  return load(discovery, source);
}

Result<model::PlanModel> load(const Discovery& discovery, const base::FileSource& source) {
  return Loader(discovery, source).run();
}

}  // namespace planex::ingest
