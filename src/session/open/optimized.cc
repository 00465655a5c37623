#include "session/open/optimized.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/file_names.h"
#include "model/capsule.h"

namespace planex::session {
namespace {

// Names in a folder of `planex optimize` (src/jobs/verbs/optimize.cc).
constexpr std::string_view kEngines[] = {"first", "best"};

// The source in which the folder is, if that is in an archive; else nothing.
std::shared_ptr<const base::FileSource> opened(const std::string& path,
                                               const base::FileSource& files) {
  auto archive = ingest::open_source(path, files);
  return archive ? archive->source : nullptr;
}

bool has_folder(const std::string& folder, std::string_view name, const base::FileSource& files) {
  return files.kind(base::join_path(folder, name)) == base::PathKind::kFolder;
}

// The model that was optimized; empty if it is not there, which a report then says.
std::string original_of(const std::string& folder, const base::FileSource& files) {
  const auto record = read_record(optimize_record(folder), files);
  if (!record || record->model.empty()) return {};
  const std::string packed = base::join_path(base::join_path(folder, model::kOriginalFolder),
                                             base::file_name_of(record->model));
  if (files.kind(packed) == base::PathKind::kFile) return packed;
  // A path in a capsule is one of the machine that it was made on.
  const bool is_packed =
      files.kind(base::join_path(folder, model::kCapsuleList)) == base::PathKind::kFile;
  return is_packed ? std::string() : record->model;
}

Failure not_a_search(const std::string& capsule, std::string_view why) {
  return fail({.code = ErrorCode::kBadInput,
               .message = base::format("not a capsule of a search: {}", why),
               .file = capsule,
               .hint = "`planex optimize MODEL.onnx -o best/` leaves best/optimize.planex"});
}

}  // namespace

bool is_optimized(const std::string& folder, const base::FileSource& files) {
  const std::string path = ingest::without_trailing_slash(folder);
  if (files.kind(path) == base::PathKind::kFile) {
    const auto archive = opened(path, files);
    return archive != nullptr && is_optimized(path, *archive);
  }
  return files.kind(optimize_record(folder)) == base::PathKind::kFile &&
         has_folder(folder, kEngines[0], files);
}

std::vector<OpenRequest> optimized_engines(const std::string& folder,
                                           const base::FileSource& files) {
  const std::string path = ingest::without_trailing_slash(folder);
  if (files.kind(path) == base::PathKind::kFile) {
    const auto archive = opened(path, files);
    return archive == nullptr ? std::vector<OpenRequest>() : optimized_engines(path, *archive);
  }
  std::vector<OpenRequest> engines;
  for (const std::string_view name : kEngines) {
    if (!has_folder(folder, name, files)) continue;
    engines.push_back({.path = base::join_path(folder, name), .name = std::string(name)});
  }
  const auto set_model = [&](OpenRequest& engine, const std::string& file) {
    if (!file.empty() && files.kind(file) == base::PathKind::kFile) engine.source_model = file;
  };
  // Steps that only set options of the engine leave the model as it is.
  const std::string model = original_of(folder, files);
  for (OpenRequest& engine : engines) set_model(engine, model);
  if (engines.size() > 1) set_model(engines.back(), base::join_path(folder, "model.onnx"));
  return engines;
}

std::string optimize_record(const std::string& folder) {
  return base::join_path(folder, "optimize.json");
}

Result<ingest::OptimizeRecord> read_record(const std::string& path, const base::FileSource& files) {
  // The disk has no path that goes through an archive.
  const auto archive = files.kind(path) == base::PathKind::kMissing ? opened(path, files) : nullptr;
  PLANEX_ASSIGN(auto bytes, (archive == nullptr ? files : *archive).read(path));
  return ingest::read_optimize_record({.path = path, .bytes = std::move(bytes)});
}

bool is_capsule_name(std::string_view path) { return ingest::has_archive_name(path); }

Result<PackedModel> packed_original(const std::string& capsule, const base::FileSource& files) {
  PLANEX_ASSIGN(const ingest::OpenedSource archive, ingest::open_source(capsule, files));
  if (archive.source == nullptr) return not_a_search(capsule, "it is not an archive");
  PLANEX_ASSIGN(const auto list, ingest::capsule_in(archive.archive, *archive.source));
  if (!list) return not_a_search(capsule, "it has no list of its files");
  const std::string place = base::format("{}/", model::kOriginalFolder);
  PackedModel model;
  for (const auto* part : {&list->files, &list->others}) {
    for (const model::CapsuleFile& file : *part) {
      if (!file.name.starts_with(place)) continue;
      const bool is_model = file.kind == "onnx";
      if (is_model && file.is_without_weights) {
        return fail({.code = ErrorCode::kUnsupported,
                     .message = base::format("its model {} is in it without its weights",
                                             base::quoted(file.name)),
                     .file = capsule,
                     .hint = "name the model itself; `planex archive best/ --with-weights -o "
                             "best/optimize.planex` packs the weights, too"});
      }
      const std::string member = base::join_path(archive.archive, file.name);
      PLANEX_ASSIGN(auto bytes, archive.source->read(member));
      PLANEX_TRY(ingest::check_member(file, bytes->view(), member));
      // The archive has no members whose names lead outside.
      model.files.push_back({.place = file.name, .bytes = std::move(bytes)});
      if (is_model) model.place = file.name;
    }
  }
  if (model.place.empty()) return not_a_search(capsule, "it has no model that was optimized");
  return model;
}

}  // namespace planex::session
