#include "session/open/sweep.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/sweep_files.h"
#include "planex/sweep.h"
#include "render/fields/sweep.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/sweep_table.h"
#include "render/text/sweep_text.h"
#include "render/words/sweep_sentences.h"
#include "session/open/engine.h"
#include "session/open/internals.h"

namespace planex::session {
namespace {

using analyze::CellState;
using analyze::Sweep;
using analyze::SweepCell;
using base::format;
using base::join_path;
using ingest::SweepFile;

constexpr std::string_view kSweepFile = "sweep.json";
constexpr std::string_view kRunFile = "run.json";
// A cell's runs are called 1, 2, …; with more runs than this, it is not a sweep.
constexpr std::int64_t kMaxRepeats = 10'000;

class SweepOpener {
 public:
  SweepOpener(std::string folder, const base::FileSource& files)
      : folder_(std::move(folder)), files_(files) {}

  Result<Sweep> open() {
    const std::string path = join_path(folder_, kSweepFile);
    PLANEX_ASSIGN(auto bytes, files_.read(path));
    PLANEX_ASSIGN(const SweepFile file,
                  ingest::read_sweep({.path = path, .bytes = std::move(bytes)}));
    if (file.repeats < 1 || file.repeats > kMaxRepeats) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not a sweep: {} builds of a cell, expected 1 to {}",
                                     file.repeats, kMaxRepeats),
                   .file = path,
                   .json_pointer = "/repeats"});
    }
    take_plan(file);
    for (SweepCell& cell : sweep_.cells) runs_.push_back(runs_of(cell));
    analyze::fill_sweep(sweep_, runs_);
    for (analyze::SweepCliff& cliff : sweep_.cliffs) explain(cliff);
    return std::move(sweep_);
  }

 private:
  void take_plan(const SweepFile& file) {
    sweep_.folder = folder_;
    sweep_.model = file.model;
    sweep_.repeats = file.repeats;
    for (const SweepFile::Axis& axis : file.axes) {
      sweep_.axes.push_back({.name = axis.name,
                             .values = axis.values,
                             .is_ordered = analyze::is_ordered_axis(axis.values)});
    }
    for (const SweepFile::Cell& cell : file.cells) {
      SweepCell& added = sweep_.cells.emplace_back();
      added.id = cell.id;
      added.values = cell.values;
      for (std::size_t axis = 0; axis < cell.values.size(); ++axis) {
        const auto& values = file.axes[axis].values;
        added.at.push_back(static_cast<std::size_t>(std::ranges::find(values, cell.values[axis]) -
                                                    values.begin()));
      }
    }
  }

  std::vector<analyze::SweepRun> runs_of(SweepCell& cell) const {
    std::vector<analyze::SweepRun> runs;
    for (std::int64_t number = 1; number <= sweep_.repeats; ++number) {
      const std::string folder = join_path(folder_, format("cells/{}/{}", cell.id, number));
      const std::string path = join_path(folder, kRunFile);
      auto bytes = files_.read(path);
      if (!bytes) continue;  // not run yet
      auto run = ingest::read_sweep_run({.path = path, .bytes = *std::move(bytes)});
      if (!run) {
        failed(cell, std::move(run).error());
      } else if (!run->is_done || run->engine.empty()) {
        failed(cell, run->error.value_or(Error{.message = "it failed"}));
      } else {
        add_run(cell, join_path(folder, base::file_name_of(run->engine)), runs);
      }
    }
    return runs;
  }

  void add_run(SweepCell& cell, const std::string& path,
               std::vector<analyze::SweepRun>& runs) const {
    const auto engine = open_engine({.path = path}, files_);
    if (!engine) return failed(cell, engine.error());
    runs.push_back(analyze::sweep_run(path, engine->model, engine->summary));
  }

  static void failed(SweepCell& cell, Error error) {
    cell.state = CellState::kFailed;
    if (!cell.error) cell.error = std::move(error);
  }

  void explain(analyze::SweepCliff& cliff) const {
    const auto a = open_engine({.path = sweep_.cells[cliff.a].engine}, files_);
    const auto b = open_engine({.path = sweep_.cells[cliff.b].engine}, files_);
    // Both were open before, but may have been removed since.
    if (!a || !b) return;
    analyze::fill_cliff(cliff, {&a->model, a->summary.time.basis},
                        {&b->model, b->summary.time.basis});
  }

  std::string folder_;
  const base::FileSource& files_;
  Sweep sweep_;
  std::vector<std::vector<analyze::SweepRun>> runs_;
};

// "batch=4 threads=1": words that stay whole when names are shortened to the part that differs.
std::string engine_name(const Sweep& sweep, std::size_t cell) {
  std::string name;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    if (axis > 0) name += " ";
    name += format("{}={}", sweep.axes[axis].name, sweep.cells[cell].values[axis]);
  }
  return name;
}

}  // namespace

bool is_sweep(const std::string& folder, const base::FileSource& files) {
  return files.kind(join_path(folder, kSweepFile)) == base::PathKind::kFile;
}

Result<Sweep> open_sweep(const std::string& folder, const base::FileSource& files) {
  if (!is_sweep(folder, files)) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = format("not a sweep: it contains no {}", kSweepFile),
                 .file = folder,
                 .hint = "planex sweep MODEL -o DIR --vary NAME=VALUE,VALUE makes one"});
  }
  return SweepOpener(folder, files).open();
}

std::vector<OpenRequest> report_engines(Sweep& sweep) {
  std::vector<std::size_t> order = sweep.throughput_front;
  order.insert(order.end(), sweep.memory_front.begin(), sweep.memory_front.end());
  for (const analyze::SweepCliff& cliff : sweep.cliffs) {
    order.push_back(cliff.a);
    order.push_back(cliff.b);
  }
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) order.push_back(i);
  std::set<std::size_t> chosen;
  for (const std::size_t cell : order) {
    if (chosen.size() == kMaxSweepEngines) break;
    if (!sweep.cells[cell].engine.empty()) chosen.insert(cell);
  }
  std::vector<OpenRequest> requests;
  for (const std::size_t cell : chosen) {
    sweep.cells[cell].report_engine = requests.size();
    requests.push_back({.path = sweep.cells[cell].engine, .name = engine_name(sweep, cell)});
  }
  return requests;
}

Writers sweep_writers(const Sweep& sweep) {
  return {
      .document = {render::sweep_document(), sweep},
      .rows = [&] { return render::sweep_table(sweep, render::SweepColumns::kAll); },
      .markdown =
          [&] {
            return render::markdown_table(render::sweep_table(sweep, render::SweepColumns::kFew));
          },
      .text = [&](const render::TableStyle& style) { return render::sweep_text(sweep, style); }};
}

}  // namespace planex::session

namespace planex {

class Sweep::State {
 public:
  analyze::Sweep sweep;
};

Sweep::Sweep(std::shared_ptr<const State> state) : state_(std::move(state)) {}
Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;
Sweep::~Sweep() = default;

bool is_sweep(const std::string& folder) { return session::is_sweep(folder, base::disk()); }

Result<Sweep> Sweep::open(const std::string& folder) {
  PLANEX_ASSIGN(analyze::Sweep sweep, session::open_sweep(folder, base::disk()));
  return Sweep(std::make_shared<const State>(std::move(sweep)));
}

results::Sweep Sweep::data() const {
  results::Sweep data;
  session::fill(data, {render::sweep_document(), state_->sweep});
  return data;
}

ArrowTable Sweep::cells() const {
  return session::to_arrow(session::sweep_writers(state_->sweep).rows(), "sweep");
}

Result<std::string> Sweep::document(const View& view) const {
  if (view.format == Format::kJunit || view.format == Format::kSarif) {
    return fail(ErrorCode::kUsage, "sweep has no such format; it has text, json, csv and markdown");
  }
  return session::write(session::sweep_writers(state_->sweep), view);
}

Result<std::string> Sweep::report(const ReportRequest& request) const {
  analyze::Sweep sweep = state_->sweep;
  const std::vector<OpenRequest> engines = session::report_engines(sweep);
  if (engines.empty()) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = "no cell of the sweep is finished, so there is no engine to report",
                 .file = sweep.folder});
  }
  PLANEX_ASSIGN(const Session session, Session::open(engines));
  return session::Internals::report(session, request, &sweep);
}

}  // namespace planex
