#include "gst/pipeline/sound_branch.hh"

#include <gst/audio/streamvolume.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "gst/pipeline/chain_bin.hh"

namespace tributary {
namespace {

constexpr const char* kDelayProperty = "ts-offset";

GstElement* make_sink(const std::string& description) {
  GError* error = nullptr;
  GstElement* const sink =
      gst_parse_bin_from_description_full(description.c_str(), TRUE, nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  const GlibError owned{error};
  if (sink == nullptr) throw std::runtime_error{owned ? owned->message : "no element " + description};
  return sink;
}

}  // namespace

SoundBranch::SoundBranch(const DecoderChain& chain, const std::string& sink) {
  std::vector<GstElement*> elements;
  if (!chain.parser.empty()) elements.push_back(make_element(chain.parser));
  elements.push_back(make_element(chain.decoder));
  for (const char* const factory : {"audioconvert", "volume", "scaletempo", "audioconvert", "audioresample"})
    elements.push_back(make_element(factory));
  volume_ = *(elements.end() - 4);
  sink_ = make_sink(sink);
  elements.push_back(sink_);
  bin_ = chain_bin("sound", elements);
}

void SoundBranch::set_volume(double volume) {
  gst_stream_volume_set_volume(GST_STREAM_VOLUME(volume_), GST_STREAM_VOLUME_FORMAT_CUBIC, volume);
}

void SoundBranch::set_muted(bool muted) {
  gst_stream_volume_set_mute(GST_STREAM_VOLUME(volume_), muted ? TRUE : FALSE);
}

void SoundBranch::set_delay(Duration delay) {
  delay_ = delay;
  GstIterator* const sinks = gst_bin_iterate_sinks(GST_BIN(sink_));
  gst_iterator_foreach(
      sinks,
      [](const GValue* item, gpointer wanted) {
        GObject* const sink = G_OBJECT(g_value_get_object(item));
        if (g_object_class_find_property(G_OBJECT_GET_CLASS(sink), kDelayProperty) != nullptr)
          g_object_set(sink, kDelayProperty, static_cast<gint64>(static_cast<Duration*>(wanted)->count()), nullptr);
      },
      &delay_);
  gst_iterator_free(sinks);
}

std::optional<Duration> SoundBranch::position() const {
  gint64 position = 0;
  if (gst_element_query_position(sink_, GST_FORMAT_TIME, &position) == FALSE || position < 0) return std::nullopt;
  return Duration{position};
}

bool SoundBranch::is_sink(GstObject* object) const {
  return object == GST_OBJECT(sink_) || gst_object_has_as_ancestor(object, GST_OBJECT(sink_)) != FALSE;
}

void SoundBranch::replace_sink() {
  GstElement* const failed = std::exchange(sink_, make_sink("fakesink sync=true"));
  set_delay(delay_);
  silent_ = true;
  replace(failed, sink_);
}

}  // namespace tributary
