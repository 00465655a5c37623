#include "drive/model_files.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "onnx/likeness.h"
#include "onnx/read.h"

namespace planex::drive {

std::vector<std::string> model_data_files(const std::string& model) {
  std::vector<std::string> files = all_model_data_files(model);
  std::erase_if(files, [](const std::string& file) {
    const std::filesystem::path path(file);
    return path.is_absolute() || std::ranges::find(path, "..") != path.end();
  });
  return files;
}

std::vector<std::string> all_model_data_files(const std::string& model) {
  std::vector<std::string> files;
  constexpr std::size_t kHeadBytes = 65536;
  const auto head = base::disk().read_head(model, kHeadBytes);
  if (!head || onnx::likeness(*head) == onnx::Likeness::kNone) return files;
  const auto bytes = base::disk().read(model, base::Access::kSparse);
  if (!bytes) return files;
  const auto source = onnx::read_model((*bytes)->view());
  if (!source || !(*bytes)->is_intact()) return files;
  for (const onnx::Tensor& tensor : source->tensors) {
    if (tensor.storage != onnx::Storage::kExternal || tensor.location.empty()) continue;
    files.emplace_back(tensor.location);
  }
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  return files;
}

}  // namespace planex::drive
