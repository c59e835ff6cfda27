#pragma once

#include <thread>

namespace tributary {

/// Loads the libraries of the usual decoders in a thread of its own. Loading takes longer than fetching the first
/// segment, so it begins before a title is opened.
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
