#include "segmenter/libav/fresh_memory.hh"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/// Sanitizers have allocators of their own. The address sanitizer reads its options before main.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "malloc_fill_byte=0:max_malloc_fill_size=2000000000"; }

namespace tributary::segmenter {
void zero_allocated_memory() {}
}  // namespace tributary::segmenter

#else

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tributary::segmenter {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = 512 * kPage;

std::atomic<bool> zeroes = false;

/// Gives the pages back to the system, which returns zeroed ones when they are touched. Until then, madvise can ask for
/// huge pages, as x264 does itself; they make access to pictures faster.
void renew(std::byte* begin, std::size_t size) {
  std::byte* const end = begin + size;
  const auto up = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(begin) + kPage - 1) & ~(kPage - 1));
  const auto down = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(end) & ~(kPage - 1));
  const auto pages = static_cast<std::size_t>(down - up);
  if (madvise(up, pages, MADV_DONTNEED) != 0) {
    std::memset(begin, 0, size);
    return;
  }
  madvise(up, pages, MADV_HUGEPAGE);
  std::memset(begin, 0, static_cast<std::size_t>(up - begin));
  std::memset(down, 0, static_cast<std::size_t>(end - down));
}

void* allocate(std::size_t alignment, std::size_t size) {
  static const auto aligned = reinterpret_cast<void* (*)(std::size_t, std::size_t)>(dlsym(RTLD_NEXT, "memalign"));
  if (!zeroes) return aligned(alignment, size);
  const bool large = size >= kHugePage;
  void* const memory = aligned(large ? std::max(alignment, kHugePage) : alignment, size);
  if (memory == nullptr) return nullptr;
  if (large) {
    renew(static_cast<std::byte*>(memory), size);
  } else {
    std::memset(memory, 0, size);
  }
  return memory;
}

}  // namespace

void zero_allocated_memory() { zeroes = true; }

}  // namespace tributary::segmenter

/// Replace the functions of the C library for the encoders' libraries and libavutil, because the program exports them.
extern "C" {
void* memalign(std::size_t alignment, std::size_t size) { return tributary::segmenter::allocate(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const allocated = tributary::segmenter::allocate(alignment, size);
  if (allocated == nullptr) return ENOMEM;
  *memory = allocated;
  return 0;
}
}

#endif
