// The allocator of our programs: big blocks come in large pages.
//
// A 100 000-layer engine fills some 200 MB of columns and parser index. Touching that for the first
// time in pages of 4 KB costs a quarter of the whole loading time; in pages of 2 MB next to
// nothing. Most systems give large pages only on request (transparent_hugepage/enabled: madvise),
// and neither the standard library nor simdjson requests them. Pages are still only allocated when
// they are touched.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;
// Below this, the unused rest of the last page would be too large a part of the block.
constexpr std::size_t kLargeFromBytes = 2 * kLargePageBytes;

void* allocate(std::size_t bytes) noexcept {
  if (bytes < kLargeFromBytes) return std::malloc(bytes == 0 ? 1 : bytes);
  const std::size_t rounded = (bytes + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
  if (rounded < bytes) return nullptr;
  void* const block = std::aligned_alloc(kLargePageBytes, rounded);
  // A hint: if it is refused, the pages are small.
  if (block != nullptr) ::madvise(block, rounded, MADV_HUGEPAGE);
  return block;
}

void* allocate_or_throw(std::size_t bytes) {
  void* const block = allocate(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
