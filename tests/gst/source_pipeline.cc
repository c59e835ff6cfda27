#include "source_pipeline.hh"

#include <fmt/format.h>
#include <gst/app/gstappsink.h>

#include <chrono>

#include "gst/source/multilink_source.hh"

namespace tributary::testing {
namespace {

GstClockTime clock_time(Duration time) { return static_cast<GstClockTime>(time.count()); }

void on_sample(GstElement* pipeline, const char* name, void* self, GstFlowReturn (*take)(GstAppSink*, gpointer)) {
  const GstHandle<GstElement> sink{gst_bin_get_by_name(GST_BIN(pipeline), name)};
  GstAppSinkCallbacks callbacks{};
  callbacks.new_sample = take;
  gst_app_sink_set_callbacks(GST_APP_SINK(sink.get()), &callbacks, self, nullptr);
}

void link_to_queue(GstElement* /*source*/, GstPad* pad, gpointer pipeline) {
  const GstHandle<GstElement> queue{gst_bin_get_by_name(GST_BIN(pipeline), GST_PAD_NAME(pad))};
  const GstHandle<GstPad> sink{gst_element_get_static_pad(queue.get(), "sink")};
  gst_pad_link(pad, sink.get());
}

std::string text_of(GstMessage* message) {
  GError* error = nullptr;
  gchar* detail = nullptr;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message, &error, &detail);
  } else {
    gst_message_parse_warning(message, &error, &detail);
  }
  const GlibError owned{error};
  const GlibString text{detail};
  return fmt::format("{}: {} ({})", GST_OBJECT_NAME(GST_MESSAGE_SRC(message)), error->message, text ? text.get() : "");
}

}  // namespace

SourcePipeline::SourcePipeline(DirectoryPlan plan, Options options) {
  static const bool registered = register_multilink_source(nullptr);
  if (!registered) throw std::runtime_error{"the element cannot be registered"};
  const char* const sync = options.real_time ? "true max-lateness=40000000 qos=true" : "false";
  GError* error = nullptr;
  pipeline_.reset(
      gst_parse_launch(fmt::format("multilinksrc name=source uri=multilink+http://directory/index.json "
                                   "queue name=video_0 ! h264parse ! {} ! video/x-raw ! appsink name=pictures sync={} "
                                   "queue name=audio_0 ! aacparse ! avdec_aac ! audioconvert ! "
                                   "audio/x-raw,format=F32LE,layout=interleaved ! appsink name=sound sync={}",
                                   options.decoder, sync, sync)
                           .c_str(),
                       &error));
  if (error != nullptr) throw std::runtime_error{GlibError{error} -> message};
  // Each time it begins anew, as a player does.
  const GstHandle<GstElement> element{gst_bin_get_by_name(GST_BIN(pipeline_.get()), "source")};
  g_signal_connect(element.get(), "pad-added", G_CALLBACK(&link_to_queue), pipeline_.get());
  const std::string url = source().settings().url;
  source().settings() = std::move(options.source);
  source().settings().url = url;
  source().settings().open = open_directory(std::move(plan));
  on_sample(pipeline_.get(), "pictures", this, [](GstAppSink* sink, gpointer self) {
    if (const GstHandle<GstSample> sample{gst_app_sink_pull_sample(sink)})
      static_cast<SourcePipeline*>(self)->take_picture(sample.get());
    return GST_FLOW_OK;
  });
  on_sample(pipeline_.get(), "sound", this, [](GstAppSink* sink, gpointer self) {
    if (const GstHandle<GstSample> sample{gst_app_sink_pull_sample(sink)})
      static_cast<SourcePipeline*>(self)->take_sound(sample.get());
    return GST_FLOW_OK;
  });
}

SourcePipeline::~SourcePipeline() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }

SourceBody& SourcePipeline::source() {
  const GstHandle<GstElement> element{gst_bin_get_by_name(GST_BIN(pipeline_.get()), "source")};
  return source_body(element.get());
}

void SourcePipeline::take_picture(GstSample* sample) {
  const GstClockTime pts = GST_BUFFER_PTS(gst_sample_get_buffer(sample));
  const GstSegment* const segment = gst_sample_get_segment(sample);
  const auto running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, pts);
  const std::lock_guard lock{mutex_};
  pictures_.push_back(
      {read_picture(sample), Duration{static_cast<Duration::rep>(pts)}, Duration{static_cast<Duration::rep>(running)}});
}

void SourcePipeline::take_sound(GstSample* sample) {
  const std::lock_guard lock{mutex_};
  sound_.add(sample);
}

void SourcePipeline::forget() {
  const std::lock_guard lock{mutex_};
  pictures_.clear();
  sound_ = {};
}

std::optional<PictureMark> SourcePipeline::still() const {
  const GstHandle<GstElement> sink{gst_bin_get_by_name(GST_BIN(pipeline_.get()), "pictures")};
  GstSample* sample = nullptr;
  g_object_get(sink.get(), "last-sample", &sample, nullptr);
  if (sample == nullptr) return std::nullopt;
  return read_picture(GstHandle<GstSample>{sample}.get());
}

std::vector<ShownPicture> SourcePipeline::pictures() const {
  const std::lock_guard lock{mutex_};
  return pictures_;
}

SoundMarks SourcePipeline::sound() const {
  const std::lock_guard lock{mutex_};
  return sound_;
}

void SourcePipeline::set_playing(bool playing) {
  wants_to_play_ = playing;
  gst_element_set_state(pipeline_.get(), playing ? GST_STATE_PLAYING : GST_STATE_PAUSED);
}

bool SourcePipeline::settled(Duration at_most) {
  return gst_element_get_state(pipeline_.get(), nullptr, nullptr, clock_time(at_most)) == GST_STATE_CHANGE_SUCCESS;
}

bool SourcePipeline::seek(Duration position, double speed, GstSeekFlags how) {
  return gst_element_seek(pipeline_.get(), speed, GST_FORMAT_TIME, static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | how),
                          GST_SEEK_TYPE_SET, position.count(), GST_SEEK_TYPE_NONE, 0) != FALSE;
}

bool SourcePipeline::handle(GstMessage* message) {
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_EOS:
      return true;
    case GST_MESSAGE_ERROR:
      errors_.push_back(text_of(message));
      break;
    case GST_MESSAGE_WARNING:
      warnings_.push_back(text_of(message));
      break;
    case GST_MESSAGE_BUFFERING: {
      gint percent = 0;
      gst_message_parse_buffering(message, &percent);
      if (percent < 100 && has_played_) ++pauses_;
      has_played_ = has_played_ || percent == 100;
      if (wants_to_play_) gst_element_set_state(pipeline_.get(), percent < 100 ? GST_STATE_PAUSED : GST_STATE_PLAYING);
      break;
    }
    default:
      break;
  }
  return false;
}

bool SourcePipeline::play(Duration at_most) {
  wants_to_play_ = true;
  gst_element_set_state(pipeline_.get(), has_played_ ? GST_STATE_PLAYING : GST_STATE_PAUSED);
  const GstHandle<GstBus> bus{gst_element_get_bus(pipeline_.get())};
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (errors_.empty()) {
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= Duration{}) return false;
    const GstHandle<GstMessage> message{gst_bus_timed_pop(bus.get(), clock_time(left))};
    if (message && handle(message.get())) return true;
  }
  return false;
}

std::string defects(const std::vector<ShownPicture>& pictures, unsigned first, unsigned last,
                    unsigned pictures_per_segment, const std::function<std::size_t(std::size_t)>& quality) {
  constexpr Duration kFrame = std::chrono::milliseconds{40};
  std::string found;
  unsigned expected = first;
  for (const ShownPicture& picture : pictures) {
    if (!picture.mark) {
      found += fmt::format("a picture at {:.3f} s cannot be read; ", to_seconds(picture.at));
      continue;
    }
    const auto [frame, shown_quality, flash] = *picture.mark;
    if (frame != expected) found += fmt::format("{} instead of {}; ", frame, expected);
    if (shown_quality != quality(frame / pictures_per_segment))
      found += fmt::format("{} in quality {}; ", frame, shown_quality);
    if (picture.at != frame * kFrame) found += fmt::format("{} at {:.6f} s; ", frame, to_seconds(picture.at));
    expected = frame + 1;
    if (found.size() > 500) return found + "...";
  }
  if (expected != last + 1) found += fmt::format("the last is {} instead of {}", expected - 1, last);
  return found;
}

}  // namespace tributary::testing
