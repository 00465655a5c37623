#include "session/installed_engines.h"

#include <algorithm>
#include <cstdlib>

#include "base/files.h"
#include "base/text.h"
#include "drive/availability.h"
#include "drive/driver.h"
#include "ingest/reader.h"
#include "ingest/registry.h"

namespace planex::session {
namespace {

using base::format;

std::string detail_of(const drive::Availability& engine) {
  if (!engine.is_installed) return format("looked for {}", engine.looked_for);
  return engine.version.empty() ? engine.place : format("{}, {}", engine.version, engine.place);
}

}  // namespace

std::optional<analyze::DoctorModel> as_model(const std::string& path) {
  const base::FileSource& disk = base::disk();
  if (disk.kind(path) != base::PathKind::kFile) return std::nullopt;
  const auto head = disk.read_head(path, ingest::kSniffBytes);
  if (!head) return std::nullopt;
  const ingest::ReaderInfo* reader = ingest::sniff(*head);
  const bool by_content = reader != nullptr && reader->id == "onnx";
  const bool by_name = reader == nullptr && path.ends_with(".onnx");
  if (!by_content && !by_name) return std::nullopt;
  analyze::DoctorModel model{
      .path = path,
      .evidence = by_content ? "ONNX model, by its content"
                             : "ONNX model by its name; its content was not recognized"};
  const std::string folder(base::folder_of(path));
  if (const auto entries = disk.list(folder.empty() ? "." : folder)) {
    const auto entry = std::ranges::find_if(*entries, [&](const base::FileEntry& one) {
      return base::file_name_of(one.path) == base::file_name_of(path);
    });
    if (entry != entries->end()) model.size_bytes = entry->size_bytes;
  }
  return model;
}

std::vector<analyze::DoctorEngine> installed_engines(const std::string& model,
                                                     std::string_view program_dir) {
  const char* search_path = std::getenv("PATH");
  std::vector<analyze::DoctorEngine> engines;
  for (const drive::Availability& engine :
       drive::available_engines({.program_dir = std::string(program_dir),
                                 .search_path = search_path == nullptr ? "" : search_path},
                                {})) {
    engines.push_back(
        {.id = engine.id,
         .label = engine.label,
         .is_installed = engine.is_installed,
         .detail = detail_of(engine),
         .install = engine.is_installed ? "" : engine.install,
         .command = format("planex process {} --engine {} -o {}/", base::shell_word(model),
                           engine.id, base::shell_word(drive::engine_name(model)))});
  }
  return engines;
}

}  // namespace planex::session
