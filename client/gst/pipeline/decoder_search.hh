#pragma once

#include <stdexcept>
#include <string>

#include "gst/gst_handles.hh"
#include "units/text/sentence.hh"

namespace tributary {

/// The elements that decode a codec.
struct DecoderChain {
  std::string parser;  // empty: none is needed
  std::string decoder;
  bool second_choice = false;  // of marginal rank or below: the decoder may leave pictures out
  bool in_hardware = false;
};

/// An element, or the decoder of a codec, is not installed. `advice` tells how to get it.
class MissingElement : public std::runtime_error {
 public:
  MissingElement(Sentence is_missing, Sentence how_to_get)
      : std::runtime_error{is_missing.english()}, missing{std::move(is_missing)}, advice{std::move(how_to_get)} {}
  Sentence missing, advice;
};

enum class Decoders { kInSoftware, kInHardwareFirst };

/// Takes the decoder of the highest rank, as GStreamer's own players do. A decoder in hardware needs no rank, but must get
/// its device: GStreamer ranks some of them so low that nobody takes them unasked.
/// Throws MissingElement, which names the codec as people do, and Debian's package.
DecoderChain find_decoder(const GstCaps& caps, Decoders which = Decoders::kInSoftware);

/// Throws MissingElement.
GstElement* make_element(const std::string& factory);

}  // namespace tributary
