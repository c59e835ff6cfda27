#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tributary {

/// Leaves new elements as they are. The kernel gives memory to a page when something is written to it: room that is
/// reserved, or that no byte has come for, is none.
template <typename T>
struct UnsetAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <typename U>
  void construct(U* element) noexcept {
    ::new (static_cast<void*>(element)) U;
  }
  template <typename U, typename... Args>
  void construct(U* element, Args&&... args) {
    ::new (static_cast<void*>(element)) U(std::forward<Args>(args)...);
  }
};

/// Bytes of media as they come. Those that a resize adds have no value until they are written.
using MediaBytes = std::vector<std::byte, UnsetAllocator<std::byte>>;

/// Makes them reach to `end`. Many bytes get room for `most` of them at once, and are not copied again and again.
inline void grow_to(MediaBytes& bytes, std::size_t end, std::size_t most) {
  constexpr std::size_t kMany = 16'000'000;
  if (end > kMany && end > bytes.capacity() && end <= most) bytes.reserve(most);
  bytes.resize(end);
}

}  // namespace tributary
