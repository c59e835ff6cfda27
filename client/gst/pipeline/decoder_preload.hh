#pragma once

#include <thread>

namespace tributary {

/// Loads the libraries of the usual decoders in a thread of its own, while other things are waited for: it takes longer than
/// to fetch the first segment.
class DecoderPreload {
 public:
  DecoderPreload();
  ~DecoderPreload() { thread_.join(); }
  DecoderPreload(const DecoderPreload&) = delete;
  DecoderPreload& operator=(const DecoderPreload&) = delete;

 private:
  std::thread thread_;
};

}  // namespace tributary
