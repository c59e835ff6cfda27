#pragma once

#include "segmenter/filters/frame_adapter.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// The sound as the source of a libavfilter graph.
std::string describe_source(const SoundFormat& source);

/// Converts sound that changes its form on the way to the announced form.
class SoundAdapter {
 public:
  explicit SoundAdapter(const SoundFormat& form);

  /// Calls use(AVFrame&) for each frame that is ready.
  template <typename Use>
  void adapt(AVFrame& sound, Use use) {
    const SoundFormat form = form_of(sound);
    if (form.samples == form_.samples && form.sample_rate == form_.sample_rate && form.layout == form_.layout) {
      use(sound);
    } else {
      adapter_.adapt(sound, describe_source(form), use);
    }
  }

 private:
  SoundFormat form_of(const AVFrame& sound) const;

  SoundFormat form_;
  FrameAdapter adapter_;
};

}  // namespace tributary::segmenter
