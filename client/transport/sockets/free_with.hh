#pragma once

namespace tributary::transport {

/// A deleter for objects of a C library, as in std::unique_ptr<CURLU, FreeWith<curl_url_cleanup>>.
template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* owned) const {
    Free(owned);
  }
};

}  // namespace tributary::transport
