#include "gst/player/player_pipeline.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

GstElement* make_source() { return GST_ELEMENT(g_object_new(multilink_source_type(), "name", "source", nullptr)); }

PlayerProblem missing(const MissingElement& error, bool fatal) { return {fatal, error.missing, error.advice, ""}; }

void link_to_branch(GstElement* /*source*/, GstPad* pad, gpointer pipeline) {
  const std::string name = GST_PAD_NAME(pad);
  const GstHandle<GstElement> branch{
      gst_bin_get_by_name(GST_BIN(pipeline), name.starts_with("video") ? "picture" : "sound")};
  if (!branch) return;  // plays without this track
  const GstHandle<GstPad> sink{gst_element_get_static_pad(branch.get(), "sink")};
  gst_pad_link(pad, sink.get());
}

int tallest(const StreamInfo& info) {
  int height = 0;
  for (const std::size_t track : info.qualities) height = std::max(height, info.presentation.tracks.at(track).height);
  return height;
}

}  // namespace

PlayerPipeline::PlayerPipeline(const Player::Options& options, const Player::ShowFrame& show,
                               const MainContext& context, OnMessage on_message)
    : options_{options},
      show_{show},
      on_message_{std::move(on_message)},
      pipeline_{GST_ELEMENT(gst_object_ref_sink(gst_pipeline_new("player")))},
      source_{make_source()} {
  gst_bin_add(GST_BIN(pipeline_.get()), source_);
  g_signal_connect(source_, "pad-added", G_CALLBACK(&link_to_branch), pipeline_.get());
  const GstHandle<GstBus> bus{gst_element_get_bus(pipeline_.get())};
  bus_watch_ = gst_bus_create_watch(bus.get());
  const GstBusFunc call = [](GstBus*, GstMessage* message, gpointer self) -> gboolean {
    const OnMessage act = static_cast<PlayerPipeline*>(self)->on_message_;
    act(message);  // may delete the pipeline; so `act` is a copy
    return G_SOURCE_CONTINUE;
  };
  g_source_set_callback(bus_watch_, G_SOURCE_FUNC(call), this, nullptr);
  g_source_attach(bus_watch_, context.get());
}

PlayerPipeline::~PlayerPipeline() {
  g_source_destroy(bus_watch_);
  g_source_unref(bus_watch_);
  gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
}

void PlayerPipeline::open(const std::string& url, Duration start, double speed, StreamListener& listener) {
  SourceSettings& settings = source().settings();
  settings.url = url;
  settings.stream = options_.stream;
  settings.start = start;
  settings.speed = speed;
  settings.open = options_.open;
  settings.listener = &listener;
  settings.hold_pads = true;
  gst_element_set_state(pipeline_.get(), GST_STATE_PAUSED);
}

std::vector<PlayerProblem> PlayerPipeline::build(const StreamInfo& info, const TitleContents& contents,
                                                 Decoders decoders) {
  std::vector<PlayerProblem> problems;
  if (contents.picture) {
    Track largest = info.leading_track();
    largest.height = tallest(info);
    if (auto problem = add_picture(largest, *contents.picture, decoders)) problems.push_back(*std::move(problem));
    if (!picture_) return problems;
  }
  if (contents.sound) {
    if (auto problem = add_sound(*contents.sound)) problems.push_back(*std::move(problem));
    if (!contents.picture && !sound_) problems.front().fatal = true;
  }
  source().expose();
  return problems;
}

std::optional<PlayerProblem> PlayerPipeline::add_picture(const Track& track, const GstCaps& caps, Decoders decoders) {
  try {
    const DecoderChain chain = find_decoder(caps, decoders);
    picture_caps_.reset(gst_caps_copy(&caps));
    const int threads = options_.decoder_threads > 0 ? options_.decoder_threads : decoder_threads(track.height);
    picture_.emplace(PictureBranch::Settings{chain, options_.frame_format, threads, options_.latest}, show_);
    picture_->fit(box_);
    constexpr double kUsual = 24;  // the least of them; for tracks that do not state theirs
    const bool stated = track.frame_rate_num > 0 && track.frame_rate_den > 0;
    const double frame_rate = stated ? static_cast<double>(track.frame_rate_num) / track.frame_rate_den : kUsual;
    source().set_low(low_buffer(threads, frame_rate));
    add(picture_->bin());
    if (!chain.second_choice) return std::nullopt;
    return PlayerProblem{false, sentence("Only {} can decode the picture; it leaves out frames.", chain.decoder),
                         sentence("Install the usual one with: sudo apt install {}", "gstreamer1.0-libav"), ""};
  } catch (const MissingElement& error) {
    return missing(error, true);
  } catch (const std::runtime_error& error) {
    return PlayerProblem{true, sentence("The picture cannot be decoded."), {}, error.what()};
  }
}

std::optional<PlayerProblem> PlayerPipeline::add_sound(const GstCaps& caps) {
  try {
    sound_.emplace(find_decoder(caps), options_.audio_sink);
    add(sound_->bin());
    return std::nullopt;
  } catch (const MissingElement& error) {
    return missing(error, false);
  } catch (const std::runtime_error& error) {
    return PlayerProblem{false, sentence("There will be no sound."), {}, error.what()};
  }
}

bool PlayerPipeline::decode_in_software() {
  if (!picture_ || !picture_->decodes_in_hardware()) return false;
  try {
    const DecoderChain chain = find_decoder(*picture_caps_);
    set_playing(false);
    picture_->replace_decoder(chain);
    return true;
  } catch (const MissingElement&) {  // hardware alone has this format
    return false;
  }
}

std::optional<Duration> PlayerPipeline::position() const {
  if (picture_) return picture_->position();
  return sound_ ? sound_->position() : std::nullopt;
}

void PlayerPipeline::fit_pictures(PictureSize box) {
  box_ = box;
  if (picture_) picture_->fit(box_);
}

void PlayerPipeline::add(GstElement* bin) {
  gst_bin_add(GST_BIN(pipeline_.get()), GST_ELEMENT(gst_object_ref(bin)));
  gst_element_sync_state_with_parent(bin);
}

void PlayerPipeline::set_playing(bool playing) {
  gst_element_set_state(pipeline_.get(), playing ? GST_STATE_PLAYING : GST_STATE_PAUSED);
}

std::optional<guint32> PlayerPipeline::seek(Duration position, double speed) {
  const auto flags = static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE);
  GstEvent* const event =
      gst_event_new_seek(speed, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, position.count(), GST_SEEK_TYPE_NONE, 0);
  const guint32 seqnum = gst_event_get_seqnum(event);
  return gst_element_send_event(source_, event) != FALSE ? std::optional{seqnum} : std::nullopt;
}

std::optional<TrackKind> PlayerPipeline::part_of(GstMessage* error) const {
  GstObject* const from = GST_MESSAGE_SRC(error);
  const auto is_below = [&](GstElement* bin) { return gst_object_has_as_ancestor(from, GST_OBJECT(bin)) != FALSE; };
  if (picture_ && is_below(picture_->bin())) return TrackKind::kVideo;
  if (sound_ && is_below(sound_->bin())) return TrackKind::kAudio;
  const GstStructure* details = nullptr;
  gst_message_parse_error_details(error, &details);
  const char* const pad = is_source(from) && details != nullptr ? gst_structure_get_string(details, "pad") : nullptr;
  if (pad == nullptr) return std::nullopt;
  return g_str_has_prefix(pad, "video") != FALSE ? TrackKind::kVideo : TrackKind::kAudio;
}

std::optional<guint32> PlayerPipeline::flushed_by(GstMessage* message) const {
  return is_source(GST_MESSAGE_SRC(message)) ? std::optional{gst_message_get_seqnum(message)} : std::nullopt;
}

}  // namespace tributary
