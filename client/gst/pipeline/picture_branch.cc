#include "gst/pipeline/picture_branch.hh"

#include <algorithm>
#include <thread>
#include <utility>

#include "gst/pipeline/chain_bin.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr guint kFramesAhead = 3;  // decoded frames that wait for their time

GstElement* frame_queue() {
  GstElement* const queue = make_element("queue");
  g_object_set(queue, "max-size-buffers", kFramesAhead, "max-size-bytes", 0u, "max-size-time", guint64{0}, nullptr);
  return queue;
}

GstElement* converter(int threads) {
  GstElement* const convert = make_element("videoconvert");
  g_object_set(convert, "n-threads", static_cast<guint>(threads), nullptr);
  return convert;
}

/// Tells the decoder to hurry when a frame is late ("qos").
GstElement* frame_sink(const PictureBranch::Settings& settings) {
  GstElement* const sink = make_element("appsink");
  const GstHandle<GstCaps> caps{
      gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, settings.format.c_str(), nullptr)};
  g_object_set(sink, "caps", caps.get(), "sync", TRUE, "max-buffers", 1u, "drop", TRUE, "enable-last-sample", FALSE,
               "qos", settings.latest.has_value(), "max-lateness",
               gint64{settings.latest ? settings.latest->count() : -1}, nullptr);
  return sink;
}

}  // namespace

PictureBranch::PictureBranch(const Settings& settings, std::function<void(GstSample*)> show)
    : settings_{settings}, show_{std::move(show)}, scaler_{settings.threads} {
  sink_ = frame_sink(settings);
  GstAppSinkCallbacks callbacks{};
  callbacks.new_preroll = &PictureBranch::on_preroll;
  callbacks.new_sample = &PictureBranch::on_sample;
  gst_app_sink_set_callbacks(GST_APP_SINK(sink_), &callbacks, this, nullptr);
  std::vector<GstElement*> elements;
  if (!settings.chain.parser.empty()) elements.push_back(make_element(settings.chain.parser));
  decoder_ = make_decoder();
  for (GstElement* const element : {decoder_, frame_queue(), converter(settings.threads)}) elements.push_back(element);
  for (GstElement* const element : scaler_.elements()) elements.push_back(element);
  elements.push_back(sink_);
  bin_ = chain_bin("picture", elements);
}

GstElement* PictureBranch::make_decoder() {
  GstElement* const element = make_element(settings_.chain.decoder);
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), "max-threads") != nullptr)
    g_object_set(element, "max-threads", settings_.threads, nullptr);
  const GstHandle<GstPad> decoded{gst_element_get_static_pad(element, "src")};
  if (decoded) captions_.watch(decoded.get());
  return element;
}

void PictureBranch::replace_decoder(const DecoderChain& chain) {
  settings_.chain = chain;
  GstElement* const before = std::exchange(decoder_, make_decoder());
  replace(before, decoder_);
}

/// Copies the sample. The sink reuses its own, and cannot change the size in it while somebody else holds a reference.
GstHandle<GstSample> PictureBranch::take(GstHandle<GstSample> sample) {
  if (!sample) return nullptr;
  return GstHandle<GstSample>{gst_sample_new(gst_sample_get_buffer(sample.get()), gst_sample_get_caps(sample.get()),
                                             gst_sample_get_segment(sample.get()), scaler_.whole())};
}

GstFlowReturn PictureBranch::on_preroll(GstAppSink* sink, gpointer self) {
  auto& branch = *static_cast<PictureBranch*>(self);
  const GstHandle<GstSample> sample = branch.take(GstHandle<GstSample>{gst_app_sink_pull_preroll(sink)});
  if (!sample) return GST_FLOW_OK;
  branch.prerolled_ = GST_BUFFER_PTS(gst_sample_get_buffer(sample.get()));
  branch.show(sample.get());
  return GST_FLOW_OK;
}

GstFlowReturn PictureBranch::on_sample(GstAppSink* sink, gpointer self) {
  auto& branch = *static_cast<PictureBranch*>(self);
  const GstHandle<GstSample> sample = branch.take(GstHandle<GstSample>{gst_app_sink_pull_sample(sink)});
  if (!sample) return GST_FLOW_OK;
  const bool shown = GST_BUFFER_PTS(gst_sample_get_buffer(sample.get())) == branch.prerolled_;
  branch.prerolled_ = GST_CLOCK_TIME_NONE;
  if (!shown) branch.show(sample.get());
  return GST_FLOW_OK;
}

void PictureBranch::show(GstSample* sample) {
  ++frames_shown_;
  show_(sample);
}

std::optional<Duration> PictureBranch::position() const {
  gint64 position = 0;
  if (gst_element_query_position(sink_, GST_FORMAT_TIME, &position) == FALSE || position < 0) return std::nullopt;
  return Duration{position};
}

int decoder_threads(int height) {
  constexpr int kSmall = 576;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const bool small = height > 0 && height <= kSmall;  // a manifest need not state it
  return std::clamp(cores, 1, small ? 2 : 4);
}

Duration low_buffer(int threads, double frame_rate) {
  return std::max<Duration>(250ms, from_seconds((threads + 3) / frame_rate) + 50ms);
}

}  // namespace tributary
