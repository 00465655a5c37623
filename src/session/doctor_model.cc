#include "session/doctor_model.h"

#include <algorithm>

#include "base/files.h"
#include "ingest/discover/registry.h"
#include "ingest/reader.h"

namespace planex::session {

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

}  // namespace planex::session
