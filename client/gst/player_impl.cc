#include "gst/player_impl.hh"

#include <algorithm>
#include <mutex>
#include <utility>

#include "gst/player_problems.hh"
#include "transport/origin.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookEvery = 100ms;
/// A slider that is dragged seeks faster than pictures come: for so long, one seek is let finish before the next.
constexpr Duration kOneSeek = 200ms;

Duration frame_begin(std::int64_t frame, const Track& track) {
  const std::int64_t per_second = track.frame_rate_num, ticks = frame * track.frame_rate_den;
  // Rounded up: what begins a nanosecond before the next frame shows the one before.
  return Duration{(ticks / per_second) * 1'000'000'000 +
                  ((ticks % per_second) * 1'000'000'000 + per_second - 1) / per_second};
}

std::int64_t frame_at(Duration position, const Track& track) {
  const double frames = to_seconds(position + 1us) * track.frame_rate_num / track.frame_rate_den;
  return static_cast<std::int64_t>(frames);
}

}  // namespace

/// Takes what the stream says to the main context, as long as it is of what is open.
struct Player::Impl::StreamEvents final : StreamListener {
  explicit StreamEvents(Impl& player) : impl{player}, current{std::make_shared<bool>(true)} {}
  ~StreamEvents() override { *current = false; }

  template <typename Act>
  void post(Act act) {
    impl.context.post([current = current, act = std::move(act)] {
      if (*current) act();
    });
  }
  void opened(const StreamInfo& info) override {
    post([&player = impl, info] { player.opened(info); });
  }
  void segment(MediaSegment /*segment*/) override {}
  void skipped(SegmentIndex segment, Duration lag, const std::string& reason) override {
    post([&player = impl, segment, lag, reason] { player.listener.skipped(segment, lag, reason); });
  }
  void may_play(std::uint32_t /*generation*/) override {}
  void ended(std::uint32_t /*generation*/) override {}
  void failed(const StreamFailure& failure) override {
    const std::lock_guard lock{mutex};
    said = failure;
  }
  /// Before its error comes from the pipeline.
  std::optional<StreamFailure> failure() const {
    const std::lock_guard lock{mutex};
    return said;
  }

  Impl& impl;
  std::shared_ptr<bool> current;  // looked at in the main context
  mutable std::mutex mutex;
  std::optional<StreamFailure> said;
};

Player::Impl::Impl(Options player_options, PlayerListener& player_listener, ShowFrame show_frame)
    : options{std::move(player_options)}, listener{player_listener}, show{std::move(show_frame)} {
  gst_init(nullptr, nullptr);
  preload.emplace();
}

Player::Impl::~Impl() { close(); }

void Player::Impl::open(const std::string& index_url, Duration start) {
  close();
  url = index_url;
  playing = built = first_frame = ended = failed = recovering_sound = false;
  buffering = true;
  seeking_to = start > Duration{} ? std::optional{start} : std::nullopt;
  last_position = start;
  dropped = 0;
  dropped_by.clear();
  events = std::make_unique<StreamEvents>(*this);
  pipeline = std::make_unique<PlayerPipeline>(options, context, [this](GstMessage* message) { handle(message); });
  looking.emplace(context, kLookEvery, [this] { look(); });
  update();
  pipeline->fit_pictures(picture_box);
  pipeline->open(url, start, speed, *events);
  if (chosen_quality) pipeline->source().choose_quality(chosen_quality);
}

void Player::Impl::close() {
  looking.reset();
  subtitles.reset();
  cues = {};
  pipeline.reset();
  events.reset();
  info.reset();
  seeking_to.reset();
  seek_next.reset();
  not_flushed.reset();
  sound.reset();
  text.reset();
  quality_seen.reset();
  update();
}

void Player::Impl::opened(const StreamInfo& stream_info) {
  info = stream_info;
  sound = info->sound;
  const std::vector<PlayerProblem> problems = pipeline->build(*info, show);
  for (const PlayerProblem& problem : problems) {
    if (problem.fatal) return fail(problem);
  }
  built = true;
  if (pipeline->sound()) {
    pipeline->sound()->set_volume(volume);
    pipeline->sound()->set_muted(muted);
  } else {
    sound.reset();
  }
  listener.opened(stream_info);
  for (const PlayerProblem& problem : problems) listener.problem(problem);
  update();
}

void Player::Impl::want_to_play(bool play) {
  wants_to_play = play;
  if (play && ended) seek_now(Duration{});
  update();
}

void Player::Impl::seek(Duration target, SeekTo how) {
  if (!pipeline || failed) return;
  const Duration end = duration();
  if (end > Duration{}) target = std::min(target, end);
  target = std::max(target, Duration{});
  if (how == SeekTo::kSegment) target = pipeline->source().segment_start(target);
  if (seeking_to && first_frame && Clock::now() < seek_began + kOneSeek) {
    seek_next = target;
    return;
  }
  seek_now(target);
}

void Player::Impl::seek_now(Duration target) {
  ended = false;
  seek_next.reset();
  seeking_to = target;
  seek_began = Clock::now();
  not_flushed = pipeline->seek(target, speed);
  update();
}

void Player::Impl::step(int frames) {
  const Track* const track = picture_track();
  if (track == nullptr || track->frame_rate_num <= 0) return;
  wants_to_play = false;
  update();
  const std::int64_t last = std::max<std::int64_t>(frame_at(duration() - 2us, *track), 0);
  seek_now(frame_begin(std::clamp<std::int64_t>(frame_at(position(), *track) + frames, 0, last), *track));
}

void Player::Impl::set_speed(double new_speed) {
  speed = std::clamp(new_speed, 0.5, 2.0);
  if (pipeline && built) seek_now(position());
  listener.changed();
}

void Player::Impl::set_volume(double new_volume) {
  volume = std::clamp(new_volume, 0.0, 1.0);
  if (pipeline && pipeline->sound()) pipeline->sound()->set_volume(volume);
  listener.changed();
}

void Player::Impl::set_muted(bool mute) {
  muted = mute;
  if (pipeline && pipeline->sound()) pipeline->sound()->set_muted(muted);
  listener.changed();
}

void Player::Impl::choose_quality(std::optional<QualityIndex> quality) {
  chosen_quality = quality;
  if (pipeline) pipeline->source().choose_quality(quality);
  listener.changed();
}

void Player::Impl::choose_sound(std::size_t track) {
  if (!pipeline || !built || sound == track) return;
  sound = track;
  pipeline->source().choose_sound(track);
  seek_now(position());
  listener.changed();
}

void Player::Impl::choose_text(std::optional<std::size_t> track) {
  subtitles.reset();
  cues = {};
  text.reset();
  if (track && info && *track < info->presentation.tracks.size() && info->presentation.tracks[*track].whole) {
    text = track;
    SubtitleLoader::Source source;
    source.ca_file = options.stream.ca_file;
    source.url = transport::resolve_uri(transport::parse_url(url), *info->presentation.tracks[*track].whole).url();
    for (const LinkStatus& link : pipeline->source().status().links) {
      if (link.activity != LinkActivity::kDown && link.use != LinkUse::kDoNotUse) source.links.push_back(link.name);
    }
    subtitles = std::make_unique<SubtitleLoader>(source, context, [this](Cues loaded, const std::string& error) {
      cues = std::move(loaded);
      if (!error.empty()) listener.problem({false, "The subtitles cannot be shown.", "", error});
    });
  }
  look();
  listener.changed();
}

void Player::Impl::fit_pictures(PictureSize box) {
  picture_box = box;
  if (pipeline) pipeline->fit_pictures(box);
}

Duration Player::Impl::position() const {
  if (seek_next) return *seek_next;
  if (seeking_to) return *seeking_to;
  if (ended || !first_frame) return last_position;
  return pipeline->picture()->position().value_or(last_position);
}

Duration Player::Impl::duration() const {
  if (!info) return {};
  if (info->live) return pipeline->source().status().available;
  const Track& track = info->presentation.tracks.at(info->qualities.at(0));
  Duration total{};
  for (std::size_t i = 0; i < track.durations.size(); ++i) total += track.duration(static_cast<SegmentIndex>(i));
  return total;
}

const Track* Player::Impl::picture_track() const {
  if (!built || !info) return nullptr;
  return &info->presentation.tracks.at(info->qualities.at(0));
}

void Player::Impl::handle(GstMessage* message) {
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_BUFFERING: {
      gint percent = 0;
      gst_message_parse_buffering(message, &percent);
      buffering = percent < 100;
      return update();
    }
    case GST_MESSAGE_ELEMENT:
      if (not_flushed && pipeline->is_flush_of(*not_flushed, message)) not_flushed.reset();
      return;
    case GST_MESSAGE_ASYNC_DONE:
      if (!not_flushed && pipeline->is_whole(GST_MESSAGE_SRC(message))) prerolled();
      return;
    case GST_MESSAGE_EOS:
      if (!not_flushed) reached_end();
      return;
    case GST_MESSAGE_ERROR:
      return handle_error(message);
    case GST_MESSAGE_WARNING:
      return handle_warning(message);
    case GST_MESSAGE_QOS:
      return count_dropped(message);
    case GST_MESSAGE_CLOCK_LOST:
      if (!playing) return;
      pipeline->set_playing(false);
      return pipeline->set_playing(true);
    default:
      return;
  }
}

void Player::Impl::handle_error(GstMessage* message) {
  GstObject* const source = GST_MESSAGE_SRC(message);
  if (pipeline->sound() && pipeline->sound()->is_sink(source)) return handle_sound_failure(text_of(message).detail);
  if (recovering_sound) return;
  const auto stream_failure = events->failure();
  if (pipeline->is_source(source) && stream_failure) return fail(problem_of(*stream_failure));
  const MessageText said = text_of(message);
  fail({true, said.what, "", said.detail});
}

void Player::Impl::handle_warning(GstMessage* message) {
  const MessageText said = text_of(message);
  const bool of_sink = pipeline->sound() && pipeline->sound()->is_sink(GST_MESSAGE_SRC(message));
  if (of_sink) return listener.problem({false, "The sound cannot be heard.", kSoundAdvice, said.detail});
  if (pipeline->is_source(GST_MESSAGE_SRC(message))) listener.problem({false, said.what, "", said.detail});
}

void Player::Impl::handle_sound_failure(const std::string& detail) {
  if (pipeline->sound()->silent()) return fail({true, "The sound cannot be timed.", "", detail});
  recovering_sound = true;
  playing = false;
  const Duration here = position();
  pipeline->set_playing(false);
  pipeline->sound()->replace_sink();
  seek_now(here);
  listener.problem({false, "The sound device failed; it plays on without sound.", kSoundAdvice, detail});
}

void Player::Impl::prerolled() {
  if (!built) return;
  first_frame = true;
  recovering_sound = false;
  if (seeking_to) {
    last_position = pipeline->picture()->position().value_or(*seeking_to);
    seeking_to.reset();
    if (!seek_next) listener.seeked(last_position);
  }
  if (seek_next) return seek_now(*seek_next);
  update();
}

void Player::Impl::reached_end() {
  if (loop) return seek_now(Duration{});
  ended = true;
  last_position = pipeline->picture()->position().value_or(duration());
  update();
}

void Player::Impl::count_dropped(GstMessage* message) {
  GstFormat format{};
  guint64 processed = 0, lost = 0;
  gst_message_parse_qos_stats(message, &format, &processed, &lost);
  if (format != GST_FORMAT_BUFFERS || lost == G_MAXUINT64) return;
  std::uint64_t& before = dropped_by[GST_MESSAGE_SRC(message)];
  dropped += lost >= before ? lost - before : lost;  // they count anew after a seek
  before = lost;
}

void Player::Impl::look() {
  if (!pipeline) return;
  if (!seeking_to) last_position = position();
  if (seek_next && Clock::now() >= seek_began + kOneSeek) seek_now(*seek_next);
  const auto quality = pipeline->source().quality();
  const bool other_quality = std::exchange(quality_seen, quality) != quality;
  const std::string now_shown = text ? cues.at(position()) : "";
  if (std::exchange(shown_text, now_shown) != now_shown) listener.subtitle(now_shown);
  if (other_quality) listener.changed();
}

void Player::Impl::fail(PlayerProblem problem) {
  if (std::exchange(failed, true)) return;
  pipeline->set_playing(false);
  update();
  listener.problem(problem);
}

void Player::Impl::update() {
  const bool should_play =
      built && first_frame && wants_to_play && !buffering && !ended && !failed && !recovering_sound;
  if (pipeline && should_play != playing && !failed) pipeline->set_playing(should_play);
  playing = should_play;
  const PlayerState next = next_state();
  if (std::exchange(state, next) != next) listener.state_changed(next);
}

PlayerState Player::Impl::next_state() const {
  if (!pipeline) return PlayerState::kClosed;
  if (failed) return PlayerState::kFailed;
  if (!first_frame) return PlayerState::kOpening;
  if (ended) return PlayerState::kEnded;
  if (!wants_to_play) return PlayerState::kPaused;
  return buffering ? PlayerState::kBuffering : PlayerState::kPlaying;
}

}  // namespace tributary
