#include "drive/sha256.h"

#include <sodium.h>

#include <array>
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

std::string hexadecimal(const std::array<unsigned char, crypto_hash_sha256_BYTES>& hash) {
  std::string digits;
  for (const unsigned char byte : hash) digits += base::format("{:02x}", byte);
  return digits;
}

}  // namespace

Result<FileDigest> digest_file(const std::string& path, const Cancellation& cancellation) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return file_error(ErrorCode::kNotFound, "can't open the file", path);
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  FileDigest digest;
  std::vector<unsigned char> buffer(std::size_t{1} << 20);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    if (cancellation.requested())
      return fail(ErrorCode::kCancelled, "stopped; nothing was written");
    crypto_hash_sha256_update(&state, buffer.data(), count);
    digest.size_bytes += count;
  }
  if (std::ferror(file.get()) != 0) return file_error(ErrorCode::kIo, "can't read the file", path);
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state, hash.data());
  digest.sha256 = hexadecimal(hash);
  return digest;
}

std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size());
  return hexadecimal(hash);
}

}  // namespace planex::drive
