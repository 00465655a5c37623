#include "drive/model_files.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "onnx/read.h"

namespace planex::drive {

std::vector<std::string> model_data_files(const std::string& model) {
  std::vector<std::string> files;
  const auto bytes = base::disk().read(model, base::Access::kSparse);
  if (!bytes) return files;
  const auto source = onnx::read_model((*bytes)->view());
  if (!source || !(*bytes)->is_intact()) return files;
  for (const onnx::Tensor& tensor : source->tensors) {
    if (tensor.storage != onnx::Storage::kExternal || tensor.location.empty()) continue;
    const std::filesystem::path path(tensor.location);
    if (path.is_absolute() || std::ranges::find(path, "..") != path.end()) continue;
    files.emplace_back(tensor.location);
  }
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  return files;
}

}  // namespace planex::drive
