#pragma once

namespace tributary::transport {

/// A deleter for std::unique_ptr that owns what a C library gave: FreeWith<curl_url_cleanup>.
template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* owned) const {
    Free(owned);
  }
};

}  // namespace tributary::transport
