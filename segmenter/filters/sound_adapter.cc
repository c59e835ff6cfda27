#include "segmenter/filters/sound_adapter.hh"

#include <fmt/format.h>

namespace tributary::segmenter {

std::string describe_source(const SoundFormat& source) {
  return fmt::format("abuffer@in=sample_rate={}:sample_fmt={}:channel_layout={}:time_base={}/{}", source.sample_rate,
                     av_get_sample_fmt_name(source.samples), source.layout, source.time_base.num, source.time_base.den);
}

SoundAdapter::SoundAdapter(const SoundFormat& form)
    : form_{form},
      adapter_{fmt::format("aformat=sample_fmts={}:sample_rates={}:channel_layouts={},asettb={}/{}",
                           av_get_sample_fmt_name(form.samples), form.sample_rate, form.layout, form.time_base.num,
                           form.time_base.den),
               "abuffer", "abuffersink"} {}

SoundFormat SoundAdapter::form_of(const AVFrame& sound) const {
  SoundFormat form = form_;
  form.samples = static_cast<AVSampleFormat>(sound.format);
  form.sample_rate = sound.sample_rate;
  form.layout = layout_name(sound.ch_layout);
  return form;
}

}  // namespace tributary::segmenter
