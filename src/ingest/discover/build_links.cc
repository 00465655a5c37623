#include "ingest/discover/build_links.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/file_names.h"

namespace planex::ingest {
namespace {

using base::format;

// trtexec also runs on Windows.
std::string with_slashes(std::string path) {
  std::ranges::replace(path, '\\', '/');
  return path;
}

std::string name_of(const std::string& path) {
  return std::string(base::file_name_of(with_slashes(path)));
}

// The same spelling for "a" and "./a".
std::string plain(const std::string& path) {
  return std::filesystem::path(with_slashes(path)).lexically_normal().generic_string();
}

struct Load {
  const FoundFile* log = nullptr;
  const LoggedRun* run = nullptr;
};
using Loads = std::multimap<std::string, Load>;  // by the name of the engine's file

bool has_built(const FoundFile& log, const std::string& name) {
  return std::ranges::any_of(log.runs, [&](const LoggedRun& run) {
    return run.builds && name_of(run.saved_engine) == name;
  });
}

void add_loads(const FoundFile& log, Loads& loads) {
  for (const LoggedRun& run : log.runs) {
    if (run.loaded_engine.empty()) continue;
    const std::string name = name_of(run.loaded_engine);
    // A log that contains both runs needs no other.
    if (!has_built(log, name)) loads.emplace(name, Load{&log, &run});
  }
}

// A load of the engine that `run` built; an engine of another version could not be loaded.
const Load* load_of(const LoggedRun& run, const Loads& loads) {
  if (!run.builds || run.saved_engine.empty() || run.has_failed) return nullptr;
  const auto [first, last] = loads.equal_range(name_of(run.saved_engine));
  const auto found = std::find_if(first, last, [&](const auto& entry) {
    const std::string& version = entry.second.run->version;
    return version.empty() || run.version.empty() || version == run.version;
  });
  return found == last ? nullptr : &found->second;
}

struct Build {
  FoundFile* log = nullptr;
  const LoggedRun* run = nullptr;
  const Load* load = nullptr;
};

std::optional<Build> build_in(FoundFile& log, const Loads& loads) {
  for (const LoggedRun& run : log.runs) {
    if (const Load* load = load_of(run, loads)) return Build{&log, &run, load};
  }
  return std::nullopt;
}

// A log is longer than its head, and its end says whether the build succeeded.
void look_at_whole(FoundFile& log, const base::FileSource& source) {
  auto bytes = source.read(log.path);
  if (!bytes) return;
  if (auto decoded = decode(std::move(*bytes), log.path)) {
    log.runs = log.reader->runs(decoded->bytes->view());
  }
}

// Of several builds, the one whose engine has exactly the path that is loaded.
void keep_same_path(std::vector<Build>& builds) {
  std::vector<Build> same;
  for (const Build& build : builds) {
    if (plain(build.run->saved_engine) == plain(build.load->run->loaded_engine)) {
      same.push_back(build);
    }
  }
  if (same.size() == 1) builds = std::move(same);
}

bool is_log_with_runs(const FoundFile& file) {
  return file.reader != nullptr && file.reader->part == Part::kLog && !file.runs.empty();
}

}  // namespace

bool are_of_one_engine(std::span<FoundFile* const> files) {
  if (files.size() < 2) return false;
  const auto is_of = [](const FoundFile* file, Part part) {
    return file->reader != nullptr && file->reader->part == part;
  };
  const std::string_view stem = stem_of(files.front()->path);
  const auto plain_logs = std::ranges::count_if(files, [&](const FoundFile* file) {
    return is_of(file, Part::kLog) && has_plain_name(file->path);
  });
  return plain_logs < 2 && std::ranges::all_of(
                               files,
                               [&](const FoundFile* file) {
                                 return is_of(file, Part::kMetadata) ||
                                        (is_of(file, Part::kLog) && stem_of(file->path) == stem);
                               });
}

std::vector<FoundFile*> without_builds(const std::vector<FoundFile*>& logs,
                                       std::span<const FoundFile> files) {
  Loads loads;
  for (const FoundFile& file : files) {
    if (file.used) add_loads(file, loads);
  }
  for (const FoundFile* log : logs) add_loads(*log, loads);
  std::vector<FoundFile*> kept;
  for (FoundFile* log : logs) {
    if (!build_in(*log, loads)) kept.push_back(log);
  }
  return kept;
}

void link_builds(std::span<FoundFile> files, const base::FileSource& source) {
  Loads loads;
  for (const FoundFile& file : files) {
    if (file.used) add_loads(file, loads);
  }
  if (loads.empty()) return;
  std::map<std::string, std::vector<Build>> builds;  // by the name of the engine's file
  std::vector<std::string> have_build;
  for (FoundFile& file : files) {
    if (!is_log_with_runs(file)) continue;
    auto build = build_in(file, loads);
    if (build && !file.used) {
      look_at_whole(file, source);
      build = build_in(file, loads);
    }
    if (build) {
      const std::string name = name_of(build->run->saved_engine);
      if (file.used) {
        have_build.push_back(name);
      } else {
        builds[name].push_back(*build);
      }
      continue;
    }
    const auto other_run = std::ranges::find_if(file.runs, [&](const LoggedRun& run) {
      return !run.loaded_engine.empty() && loads.contains(name_of(run.loaded_engine));
    });
    if (!file.used && other_run != file.runs.end()) {
      file.evidence = format("left out: another run of {}; name the file to see it",
                             name_of(other_run->loaded_engine));
    }
  }
  for (auto& [name, found] : builds) {
    if (std::ranges::find(have_build, name) != have_build.end()) {
      for (const Build& build : found)
        build.log->evidence = format("left out: also builds {}", name);
      continue;
    }
    const std::vector<Build> all = found;
    keep_same_path(found);
    for (const Build& build : all) {
      build.log->evidence = format("left out: one of {} that build {}", all.size(), name);
    }
    if (found.size() != 1) continue;
    const Build& build = found.front();
    build.log->used = true;
    build.log->evidence =
        format("builds {}, which {} loads", name, base::file_name_of(build.load->log->path));
    build.log->is_build_only = build.load->run->measures;
  }
}

}  // namespace planex::ingest
