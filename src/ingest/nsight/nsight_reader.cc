#include "ingest/nsight/nsight_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "ingest/nsight/attribution.h"
#include "ingest/nsight/kernel_rows.h"
#include "ingest/nsight/layer_names.h"
#include "ingest/nsight/sqlite_file.h"
#include "ingest/nsight/stream_rows.h"
#include "ingest/nsight/trace.h"
#include "ingest/nsight/trace_reader.h"

namespace planex::ingest::nsight {
namespace {

using base::counted;
using base::format;
using model::Severity;

// Tables of which every export with CUDA or NVTX recorded has at least one.
constexpr auto kTables = std::to_array<std::string_view>(
    {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_MEMCPY",
     "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "NVTX_EVENTS"});
// And the tables, or prefixes of tables, that are created first: if the list continues elsewhere,
// the start of the file may contain only these.
constexpr auto kFirstTables = std::to_array<std::string_view>(
    {"META_DATA_EXPORT", "META_DATA_CAPTURE", "TARGET_INFO_", "ENUM_NSYS_EVENT_", "ENUM_CUDA_",
     "ANALYSIS_DETAILS", "ANALYSIS_FILE", "StringIds", "ThreadNames"});

constexpr std::string_view kRecord =
    "`nsys profile --trace=cuda,nvtx --cuda-graph-trace=node -o X trtexec --loadEngine=FILE "
    "--profilingVerbosity=detailed` and `nsys export --type sqlite X.nsys-rep`";

// Where the first page gives its kind, and the kind of pages that only lead to others.
constexpr std::size_t kKindOfFirstPage = 100;
constexpr char kInteriorPage = 5;

bool has_tables(const SqliteFile& file) {
  return std::ranges::any_of(kTables, [&](std::string_view table) { return file.has(table); }) ||
         file.has("META_DATA_EXPORT");
}

std::string kept(std::string_view text) {
  constexpr std::size_t kMaxBytes = 1000;
  return base::valid_utf8(text.substr(0, kMaxBytes));
}

class ExportReader {
 public:
  ExportReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  Result<void> read() {
    PLANEX_ASSIGN(SqliteFile file, SqliteFile::open(artefact_.bytes, artefact_.path));
    if (!has_tables(file)) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "a SQLite file, but not an Nsight Systems export: it has none of its "
                              "tables, such as CUPTI_ACTIVITY_KIND_KERNEL",
                   .file = artefact_.path,
                   .hint = "create one with `nsys export --type sqlite REPORT.nsys-rep`"});
    }
    if (file.has_journal()) {
      report("write-ahead-log", Severity::kInfo,
             "the file was opened for writing after the export (it is in WAL mode); changes that "
             "are still in the log beside it are not read");
    }
    const LayerNames names(builder_.model());
    PLANEX_ASSIGN(Trace trace, read_trace(file, names, artefact_.path));
    PLANEX_TRY(read_names(file, trace, builder_.strings()));
    const std::size_t launches = trace.launches.size();
    const Attribution found = attribute(trace, names);
    // A program that ran none of this engine's layers may have used another device.
    if (found.kernels_of_layers > 0) PLANEX_TRY(read_device(file));
    // And its kernels belong to another program.
    const bool is_of_engine = found.kernels_of_layers > 0 || trace.counts.layer_ranges > 0;
    KernelRows rows;
    if (is_of_engine) {
      PLANEX_TRY(read_origin(file));
      add_stream_rows(trace, builder_);
      rows = add_kernel_rows(trace, builder_);
    }
    model::FilesTable& files = builder_.model().files;
    files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(launches));
    files.joined_count.set(artefact_.file_row, static_cast<std::int64_t>(rows.joined));
    report_missing(trace.counts, found);
    report_odd(trace.counts);
    report_unmatched(trace.counts, found, names);
    report_profile();
    report_overlap(rows);
    if (rows.gave_times) {
      report("times-from-kernels", Severity::kInfo,
             format("there is no profile, so a layer's time is that of its kernels in {}, without "
                    "the gaps between them",
                    counted(found.inferences, "inference")));
    }
    return {};
  }

 private:
  void report(std::string_view code, Severity severity, std::string message) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path});
  }

  // Who wrote the file.
  Result<void> read_origin(SqliteFile& file) {
    constexpr std::size_t kMaxRows = 50;
    std::size_t count = 0;
    return file.scan("META_DATA_EXPORT", std::array<std::string_view, 2>{"name", "value"},
                     [&](const SqliteFile::Row& row) {
                       const auto name = row.text(0), value = row.text(1);
                       if (!name || !value || ++count > kMaxRows) return;
                       builder_.add_metadata("nsight_systems", kept(*name), kept(*value),
                                             artefact_.path);
                     });
  }

  Result<void> read_device(SqliteFile& file) {
    model::EngineTable& engine = builder_.model().engine;
    if (!engine.device.is_null(0)) return {};
    // If a machine has several kinds, the device used is unknown.
    std::string device;
    bool is_one_kind = true;
    PLANEX_TRY(file.scan("TARGET_INFO_GPU", std::array<std::string_view, 1>{"name"},
                         [&](const SqliteFile::Row& row) {
                           const auto name = row.text(0);
                           if (!name || name->empty()) return;
                           if (device.empty()) device = kept(*name);
                           is_one_kind = is_one_kind && device == kept(*name);
                         }));
    if (!device.empty() && is_one_kind) engine.device.set(0, builder_.strings().intern(device));
    return {};
  }

  // What the recording lacks if no kernel can have a layer.
  void report_missing(const TraceCounts& counts, const Attribution& found) {
    if (counts.graph_traces > 0 && found.kernels_of_layers == 0) {
      report("graphs-without-kernels", Severity::kWarning,
             format("{} of CUDA graphs were recorded as units, without their kernels; `nsys "
                    "profile --cuda-graph-trace=node` records them",
                    counted(counts.graph_traces, "launch", "launches")));
    }
    if (!counts.has_kernels) {
      if (counts.graph_traces == 0) {
        report("no-kernels", Severity::kWarning,
               format("the export has no kernels; record with {}", kRecord));
      }
      return;
    }
    if (!counts.has_calls) {
      report("no-launch-calls", Severity::kWarning,
             format("the export has no CUDA API calls, so it is unknown where kernels were "
                    "launched; record with {}",
                    kRecord));
    } else if (counts.domain_ranges == 0) {
      report("no-layer-ranges", Severity::kWarning,
             format("the export has no TensorRT ranges, so no kernel can be assigned to a layer "
                    "and nothing shows that the trace belongs to this engine: its kernels are left "
                    "out; record with {}, using an engine that was built without "
                    "`--profilingVerbosity=none`",
                    kRecord));
    }
    if (!counts.has_domain && counts.layer_ranges > 0) {
      report("no-tensorrt-domain", Severity::kInfo,
             "the export does not say which ranges are TensorRT's, because the recording began "
             "after TensorRT had registered them: every range whose text is the name of a layer "
             "counts as one");
    }
    if (found.graph_kernels_without_layer > 0) {
      report("graph-kernels-without-layer", Severity::kWarning,
             format("{} ran from CUDA graphs, so they have no launch calls that name a layer, and "
                    "the export does not say where they were captured: start recording before the "
                    "capture with `--cuda-graph-trace=node`, or run without CUDA graphs",
                    counted(found.graph_kernels_without_layer, "launch", "launches")));
    }
  }

  void report_odd(const TraceCounts& counts) {
    if (counts.odd_ranges > 0) {
      report("odd-ranges", Severity::kInfo,
             format("{} of TensorRT without an end, or with an end before the start, were left "
                    "out: mostly those that the recording cut off",
                    counted(counts.odd_ranges, "range")));
    }
    if (counts.odd_launches > 0) {
      report("odd-launches", Severity::kWarning,
             format("{} without a start or an end, or with the end before the start, were left out",
                    counted(counts.odd_launches, "kernel or copy", "kernels or copies")));
    }
    if (counts.has_calls && counts.launches_without_call > 0) {
      report("launch-without-call", Severity::kInfo,
             format("the export lacks the call that launched {}: mostly because the recording "
                    "began in between",
                    counted(counts.launches_without_call, "kernel or copy", "kernels or copies")));
    }
  }

  void report_unmatched(const TraceCounts& counts, const Attribution& found,
                        const LayerNames& names) {
    if (counts.domain_ranges > 0 && counts.layer_ranges == 0) {
      report(
          "ranges-of-no-layer", Severity::kWarning,
          format("none of the {} of TensorRT names a layer of this engine, such as {}: the "
                 "trace belongs to another engine or another build, and its kernels are left out",
                 counted(counts.domain_ranges, "range"), base::quoted(counts.example_text)));
    } else if (found.other_ranges > 0) {
      report("ranges-of-no-layer", Severity::kInfo,
             format("{} of TensorRT name no layer of this engine, such as {}",
                    counted(found.other_ranges, "range"), base::quoted(counts.example_text)));
    }
    if (found.other_executions > 0 && counts.layer_ranges > 0) {
      report("executions-of-other-engines", Severity::kInfo,
             format("{} in the trace belong to other engines: most of their ranges name no layer "
                    "of this one",
                    counted(found.other_executions, "inference")));
    }
    const std::size_t without = found.kernels_between + found.kernels_elsewhere;
    if (without > 0 && found.kernels_of_layers > 0) {
      report("kernels-without-layer", Severity::kInfo,
             format("{} of kernels have no layer: {} between the layers of an inference, {} "
                    "outside this engine's inferences",
                    counted(without, "launch", "launches"), found.kernels_between,
                    found.kernels_elsewhere));
    }
    if (found.ambiguous != kOther) {
      const model::LayerId layer = names.layers(found.ambiguous).front();
      const model::PlanModel& model = builder_.model();
      report("ambiguous-layer-name", Severity::kWarning,
             format("several layers are called {}, and the trace has a different number of ranges "
                    "with that name; they were assigned to the layers in order",
                    base::quoted(model.text(model.layers.name[layer.index()]))));
    }
  }

  // Ranges may name layers of a profile that is not shown.
  void report_profile() {
    const model::PlanModel& model = builder_.model();
    std::size_t shown = 0, others = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.kernel_ms.is_null(row)) continue;
      ++(model.is_shown(model::LayerId(row)) ? shown : others);
    }
    if (shown > 0 || others == 0) return;
    report("times-of-other-profile", Severity::kWarning,
           "the trace belongs to another optimization profile than the one shown, whose layers "
           "have no kernels; show it with `--profile N`");
  }

  // If kernels overlap, their sum is not elapsed time.
  void report_overlap(const KernelRows& rows) {
    // A smaller difference comes from clocks, and from kernels that begin while the previous one
    // ends.
    constexpr double kMinShare = 0.01;
    if (rows.sum_ms <= 0 || rows.sum_ms - rows.busy_ms < kMinShare * rows.sum_ms) return;
    report("kernels-side-by-side", Severity::kInfo,
           format("kernels of layers overlapped: those of an inference add up to {:.4g} ms, but "
                  "ran within {:.4g} ms (medians)",
                  rows.sum_ms, rows.busy_ms));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
};

}  // namespace

Confidence sniff_export(std::string_view head) {
  if (!head.starts_with(kSqliteMagic)) return Confidence::kNo;
  const auto stands_there = [&](std::string_view table) { return head.find(table) != head.npos; };
  const bool is_export =
      std::ranges::any_of(kTables, stands_there) || std::ranges::any_of(kFirstTables, stands_there);
  return is_export ? Confidence::kSure : Confidence::kNo;
}

bool may_be_export(std::string_view head) {
  return head.starts_with(kSqliteMagic) && head.size() > kKindOfFirstPage &&
         head[kKindOfFirstPage] == kInteriorPage;
}

bool is_export(std::shared_ptr<const base::Bytes> bytes) {
  const auto file = SqliteFile::open(std::move(bytes), {});
  return !file || has_tables(*file);
}

Result<void> read_export(const Artefact& artefact, model::ModelBuilder& builder) {
  return ExportReader(artefact, builder).read();
}

}  // namespace planex::ingest::nsight
