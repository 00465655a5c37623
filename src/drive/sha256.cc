#include "drive/sha256.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "base/text.h"

namespace planex::drive {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Failure file_error(ErrorCode code, std::string_view doing, const std::string& path) {
  return fail(
      {.code = code, .message = base::format("{}: {}", doing, std::strerror(errno)), .file = path});
}

}  // namespace

Result<FileDigest> digest_file(const std::string& path, const Cancellation& cancellation) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return file_error(ErrorCode::kNotFound, "can't open the file", path);
  base::Sha256 hash;
  FileDigest digest;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    if (cancellation.requested())
      return fail(ErrorCode::kCancelled, "stopped; nothing was written");
    hash.add({buffer.data(), count});
    digest.size_bytes += count;
  }
  if (std::ferror(file.get()) != 0) return file_error(ErrorCode::kIo, "can't read the file", path);
  digest.sha256 = hash.digits();
  return digest;
}

}  // namespace planex::drive
