#pragma once

#include <optional>
#include <string>

#include "gst/gst_handles.hh"
#include "gst/pipeline/decoder_search.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decodes sound and plays it on the sound card. Changes of speed keep the pitch.
class SoundBranch {
 public:
  /// `sink`: one element, or several in the syntax of gst-launch. Throws MissingElement, or std::runtime_error.
  SoundBranch(const DecoderChain& chain, const std::string& sink);

  GstElement* bin() const { return bin_.get(); }
  /// On the scale of hearing (cubic): 0.5 sounds half as loud.
  void set_volume(double volume);
  void set_muted(bool muted);
  /// Plays the sound this much later than its times say; earlier if negative. A sink that cannot be told plays on time.
  void set_delay(Duration delay);
  /// Position of playout; nothing before the first sample.
  std::optional<Duration> position() const;

  /// Whether the object is the sound sink or a part of it.
  bool is_sink(GstObject* object) const;
  /// Puts a silent sink, which only keeps time, in the place of the present one. The pipeline must be PAUSED, and a
  /// seek must follow.
  void replace_sink();
  bool silent() const { return silent_; }

 private:
  GstHandle<GstElement> bin_;
  GstElement* volume_ = nullptr;  // the bin owns it, and the sink
  GstElement* sink_ = nullptr;
  Duration delay_{};
  bool silent_ = false;
};

}  // namespace tributary
