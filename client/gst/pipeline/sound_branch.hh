#pragma once

#include <string>

#include "gst/gst_handles.hh"
#include "gst/pipeline/decoder_search.hh"

namespace tributary {

/// From coded sound to the sound card: at any speed, with the same pitch.
class SoundBranch {
 public:
  /// `sink`: an element, or several as gst-launch takes them. Throws MissingElement, or std::runtime_error.
  SoundBranch(const DecoderChain& chain, const std::string& sink);

  GstElement* bin() const { return bin_.get(); }
  /// As heard: 0.5 is half as loud.
  void set_volume(double volume);
  void set_muted(bool muted);

  /// Whether this object is (a part of) what makes sound out of samples.
  bool is_sink(GstObject* object) const;
  /// Takes another sink instead, that does nothing but keep time. In PAUSED, and with a seek thereafter.
  void replace_sink();
  bool silent() const { return silent_; }

 private:
  GstHandle<GstElement> bin_;
  GstElement* volume_ = nullptr;  // both of the bin
  GstElement* sink_ = nullptr;
  bool silent_ = false;
};

}  // namespace tributary
