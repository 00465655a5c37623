#include "ingest/discover/file_names.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/find.h"
#include "base/text.h"

namespace planex::ingest {
namespace {

// Suffixes that tools give to the files of one engine; the rest is the engine's own name.
constexpr auto kEndings = std::to_array<std::string_view>({".graph.json",
                                                           ".plan.json",
                                                           ".profile.json",
                                                           ".times.json",
                                                           ".machine.json",
                                                           ".onnx.quantize.json",
                                                           ".quantize.json",
                                                           ".onnx.search.json",
                                                           ".search.json",
                                                           ".onnx.accuracy.json",
                                                           ".accuracy.json",
                                                           ".timing.json",
                                                           ".build.metadata.json",
                                                           ".profile.metadata.json",
                                                           ".metadata.json",
                                                           ".layers.json",
                                                           ".layer_info.json",
                                                           "_layer_information.json",
                                                           "_engine_execution_profile.trace",
                                                           "_execution_profile.trace",
                                                           ".build.log",
                                                           ".profile.log",
                                                           ".nsys.sqlite",
                                                           ".nsys-rep.sqlite",
                                                           ".nsight.sqlite",
                                                           ".sqlite",
                                                           ".sqlite3",
                                                           ".db",
                                                           ".exec.xml",
                                                           ".xml",
                                                           ".csv",
                                                           ".trace.json",
                                                           kOptimisedEnding,
                                                           ".json",
                                                           ".log",
                                                           ".txt",
                                                           ".onnx",
                                                           ".engine"});

constexpr std::string_view kFailedLogEnding = ".failed.log";

// Suffixes that say how a file is stored, not what it is.
constexpr std::string_view kPackedEnding = ".gz";

// File names that say nothing about the engine: the folder's name is used instead.
constexpr auto kGenericNames =
    std::to_array<std::string_view>({"graph",
                                     "layers",
                                     "layerinfo",
                                     "layer_info",
                                     "layer-info",
                                     "profile",
                                     "timing",
                                     "times",
                                     "metadata",
                                     "manifest",
                                     "machine",
                                     "accuracy",
                                     "quantize",
                                     "search",
                                     "exec_graph",
                                     "modelinformation",
                                     "benchmark_report",
                                     "benchmark_detailed_counters_report",
                                     "benchmark_average_counters_report",
                                     "benchmark_sort_detailed_counters_report",
                                     "benchmark_sorted_report",
                                     "plan",
                                     "build",
                                     "build_cfg",
                                     "plan_cfg",
                                     "onnxruntime_profile",
                                     "onnxruntime_profile_"});

// Suffixes of files that are read as folders.
constexpr auto kArchiveEndings = std::to_array<std::string_view>({".planex", ".tea", ".zip"});

std::string_view unpacked_name(std::string_view path) {
  std::string_view name = base::file_name_of(path);
  if (name.size() > kPackedEnding.size() && name.ends_with(kPackedEnding)) {
    name.remove_suffix(kPackedEnding.size());
  }
  return name;
}

// The suffix that a tool gave; empty if there is none.
std::string_view ending_of(std::string_view name) {
  const std::string_view* found = base::find_if(kEndings, [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
  return found == nullptr ? std::string_view() : *found;
}

// "net_2026-11-21_16-40-59_928" -> "net": ONNX Runtime puts the time into the name of a trace.
std::string_view without_time(std::string_view stem) {
  for (const std::string_view form : {"_dddd-dd-dd_dd-dd-dd_ddd", "_dddd-dd-dd_dd-dd-dd"}) {
    if (stem.size() <= form.size()) continue;
    const std::string_view end = stem.substr(stem.size() - form.size());
    const bool fits = std::ranges::equal(end, form, [](char c, char wanted) {
      return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
    });
    if (fits) return stem.substr(0, stem.size() - form.size());
  }
  return stem;
}

bool is_generic(std::string_view stem) {
  return std::ranges::find(kGenericNames, base::lower(stem)) != kGenericNames.end();
}

}  // namespace

std::string_view stem_of(std::string_view path) {
  const std::string_view name = unpacked_name(path);
  const std::string_view ending = ending_of(name);
  if (ending.empty()) return name;
  return without_time(name.substr(0, name.size() - ending.size()));
}

bool has_engine_file_name(std::string_view path) { return !ending_of(unpacked_name(path)).empty(); }

bool is_failed_log(std::string_view path) { return path.ends_with(kFailedLogEnding); }

bool is_record_of_other(std::string_view path, std::string_view graph_path) {
  const std::string_view name = unpacked_name(path), stem = stem_of(graph_path);
  const bool names_model = name.ends_with(".quantize.json") || name.ends_with(".search.json") ||
                           name.ends_with(".accuracy.json");
  return names_model && stem_of(path) != stem && !is_generic(stem);
}

bool has_plain_name(std::string_view path) {
  const std::string_view name = unpacked_name(path);
  return name.substr(0, name.rfind('.')) == stem_of(path);
}

std::string without_trailing_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool has_archive_name(std::string_view path) {
  return std::ranges::any_of(kArchiveEndings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

std::string engine_name(std::string_view graph_path) {
  const std::string_view stem = stem_of(graph_path);
  std::string_view folder = base::file_name_of(base::folder_of(graph_path));
  for (const std::string_view ending : kArchiveEndings) {
    if (folder.size() > ending.size() && folder.ends_with(ending)) {
      folder.remove_suffix(ending.size());
    }
  }
  return std::string(is_generic(stem) && !folder.empty() && folder != "." ? folder : stem);
}

}  // namespace planex::ingest
