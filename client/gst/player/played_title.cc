#include "gst/player/played_title.hh"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "gst/player/player_problems.hh"
#include "media/track_clock.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookEvery = 100ms;
/// A dragged slider seeks faster than pictures come. During this time, a new seek waits until the last has shown one.
constexpr Duration kOneSeek = 200ms;
/// Longer than any title, and small enough that sums with it do not overflow.
constexpr Duration kFurthest = std::chrono::hours{24 * 365 * 10};

Duration frame_begin(std::int64_t frame, const Track& track) {
  const std::int64_t per_second = track.frame_rate_num, ticks = frame * track.frame_rate_den;
  // Rounded up: a position one nanosecond too early would show the frame before.
  return Duration{(ticks / per_second) * 1'000'000'000 +
                  ((ticks % per_second) * 1'000'000'000 + per_second - 1) / per_second};
}

std::int64_t frame_at(Duration position, const Track& track) {
  const double frames = to_seconds(position + 1us) * track.frame_rate_num / track.frame_rate_den;
  return static_cast<std::int64_t>(frames);
}

bool contains(const std::vector<std::size_t>& tracks, std::size_t track) {
  return std::ranges::find(tracks, track) != tracks.end();
}

}  // namespace

/// Passes the stream's messages on to the main context, as long as the title is open.
struct PlayedTitle::StreamEvents final : StreamListener {
  explicit StreamEvents(PlayedTitle& played) : title{played}, current{std::make_shared<bool>(true)} {}
  ~StreamEvents() override { *current = false; }

  template <typename Act>
  void post(Act act) {
    title.context_.post([current = current, &news = title.news_, act = std::move(act)] {
      if (!*current) return;
      const PlayerNews::Call call{news};
      act();
    });
  }
  void opened(const StreamInfo& info) override {
    post([&played = title, info] { played.opened(info); });
  }
  void segment(MediaSegment /*segment*/) override {}
  void skipped(const SkippedSegment& skipped) override {
    post([&news = title.news_, skipped] { news.add([=](PlayerListener& listener) { listener.skipped(skipped); }); });
  }
  void may_play(std::uint32_t /*generation*/) override {}
  void ended(std::uint32_t /*generation*/) override {}
  void failed(const StreamFailure& failure) override {
    const std::lock_guard lock{mutex};
    said = failure;
  }
  /// The stream's failure, known here before the pipeline's error message arrives.
  std::optional<StreamFailure> failure() const {
    const std::lock_guard lock{mutex};
    return said;
  }

  PlayedTitle& title;
  std::shared_ptr<bool> current;  // looked at in the main context
  mutable std::mutex mutex;
  std::optional<StreamFailure> said;
};

PlayedTitle::PlayedTitle(const Surroundings& surroundings, std::string url, Duration start)
    : options_{surroundings.options},
      show_{surroundings.show},
      context_{surroundings.context},
      settings_{surroundings.settings},
      news_{surroundings.news},
      url_{std::move(url)},
      last_position_{std::clamp(start, Duration{}, kFurthest)},
      events_{std::make_unique<StreamEvents>(*this)},
      pipeline_{options_, context_,
                [this](GstMessage* message) {
                  const PlayerNews::Call call{news_};
                  handle(message);
                }},
      looking_{context_, kLookEvery, [this] {
                 const PlayerNews::Call call{news_};
                 look();
               }} {
  if (last_position_ > Duration{}) seeking_to_ = last_position_;
  update();
  picture_box_changed();
  pipeline_.open(url_, last_position_, settings_.speed, *events_);
  quality_changed();
}

PlayedTitle::~PlayedTitle() = default;

void PlayedTitle::opened(const StreamInfo& stream_info) {
  info_ = stream_info;
  build();
}

void PlayedTitle::build() {
  if (!info_ || !contents_ || built_ || failed_) return;
  const std::vector<PlayerProblem> problems = pipeline_.build(*info_, *contents_, settings_.decoders, show_);
  for (const PlayerProblem& problem : problems) {
    if (problem.fatal) return fail(problem);
  }
  built_ = true;
  if (pipeline_.sound()) sound_ = info_->sound;
  volume_changed();
  sound_delay_changed();
  news_.add([info = *info_](PlayerListener& listener) { listener.opened(info); });
  for (const PlayerProblem& problem : problems) tell_problem(problem);
  update();
}

void PlayedTitle::wish_changed() {
  if (settings_.wants_to_play && ended_ && can_seek()) seek_now(Duration{});
  update();
}

void PlayedTitle::speed_changed() {
  if (can_seek() && !ended_) seek_now(position());
}

void PlayedTitle::volume_changed() {
  if (!pipeline_.sound()) return;
  pipeline_.sound()->set_volume(settings_.volume);
  pipeline_.sound()->set_muted(settings_.muted);
}

void PlayedTitle::text_delay_changed() { look(); }

void PlayedTitle::sound_delay_changed() {
  if (pipeline_.sound()) pipeline_.sound()->set_delay(settings_.sound_delay);
}

void PlayedTitle::seek(Duration target, Player::SeekTo how) {
  if (failed_) return;
  const Duration end = duration();
  target = std::clamp(target, Duration{}, end > Duration{} ? end : kFurthest);
  if (how == Player::SeekTo::kSegment) target = pipeline_.source().segment_start(target);
  if (seeking_to_ && first_frame_ && Clock::now() < seek_began_ + kOneSeek) {
    seek_next_ = target;
    return;
  }
  seek_now(target);
}

void PlayedTitle::seek_now(Duration target) {
  ended_ = false;
  seek_next_.reset();
  seeking_to_ = target;
  seek_began_ = Clock::now();
  not_flushed_ = pipeline_.seek(target, settings_.speed);
  update();
}

void PlayedTitle::step(int frames) {
  const Track& track = picture_track();
  const std::int64_t last = std::max<std::int64_t>(frame_at(duration() - 2us, track), 0);
  seek_now(frame_begin(std::clamp<std::int64_t>(frame_at(position(), track) + frames, 0, last), track));
}

void PlayedTitle::choose_sound(std::size_t track) {
  if (!can_seek() || !pipeline_.sound() || sound_ == track || !contains(info_->sounds, track)) return;
  sound_ = track;
  pipeline_.source().choose_sound(track);
  if (!ended_) seek_now(position());
  tell_changed();
}

void PlayedTitle::choose_text(std::optional<std::size_t> track) {
  shown_.reset();
  text_.reset();
  if (track && info_ && contains(info_->texts, *track)) {
    const Track& text = info_->presentation.tracks[*track];
    if (text.whole || !text.text.empty()) load_text(text);
    if (shown_ || !text.captions.empty() || added_.contains(*track)) text_ = track;
  }
  choose_captions();
  look();
  tell_changed();
}

void PlayedTitle::add_text(const std::string& name, TextFile file) {
  if (!built_) return;
  Track text;
  text.kind = TrackKind::kText;
  text.id = text.group = text.label.name = name;
  const std::size_t track = info_->presentation.tracks.size();
  info_->presentation.tracks.push_back(std::move(text));
  info_->texts.push_back(track);
  added_.emplace(track, Cues{std::move(file)});
  news_.add([info = *info_](PlayerListener& listener) { listener.text_added(info); });
  choose_text(track);
}

/// Tells the picture branch which captions are wanted. A title of sound alone has none.
void PlayedTitle::choose_captions() {
  if (!pipeline_.picture()) return;
  const std::string channel = text_ ? info_->presentation.tracks[*text_].captions : "";
  const auto field = channel == "CC3" ? CaptionField::kSecond : CaptionField::kFirst;
  pipeline_.picture()->captions().choose(channel.empty() ? std::nullopt : std::optional{field});
}

std::string PlayedTitle::text_now() const {
  const Duration there = position() - settings_.text_delay;
  if (shown_) return shown_->at(there);
  if (const auto own = text_ ? added_.find(*text_) : added_.end(); own != added_.end())
    return shown_at(there, {{&own->second, {}, Duration{}}});
  return pipeline_.picture() ? pipeline_.picture()->captions().at(there) : "";
}

void PlayedTitle::load_text(const Track& track) {
  const Track& leading = picture_track();
  const Duration zero = ticks_to_time(static_cast<std::int64_t>(leading.start), leading.timescale).value_or(Duration{});
  const auto failed = [this](const std::string& error) {
    const PlayerNews::Call call{news_};
    tell_problem({false, sentence("The subtitles cannot be shown."), {}, error});
  };
  shown_ = std::make_unique<ShownText>(
      ShownText::Source{track, zero, url_, info_->rules}, context_,
      ShownText::Calls{.ahead = [this](Duration there) { return pipeline_.source().media_ahead(there); },
                       .links = [this] { return links_for_side_files(pipeline_.source().status().links); },
                       .failed = failed});
}

Duration PlayedTitle::position() const {
  if (seek_next_) return *seek_next_;
  if (seeking_to_) return *seeking_to_;
  if (ended_ || !first_frame_) return last_position_;
  return pipeline_.position().value_or(last_position_);
}

Duration PlayedTitle::duration() const {
  if (!info_) return {};
  if (info_->live) return pipeline_.source().status().available;
  const Track& track = picture_track();
  Duration total{};
  for (std::size_t i = 0; i < track.durations.size(); ++i) total += track.duration(static_cast<SegmentIndex>(i));
  return total;
}

void PlayedTitle::handle(GstMessage* message) {
  if (failed_) return;
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_BUFFERING: {
      gint percent = 0;
      gst_message_parse_buffering(message, &percent);
      buffering_ = percent < 100;
      return update();
    }
    case GST_MESSAGE_STREAM_COLLECTION:
      if (!pipeline_.is_source(GST_MESSAGE_SRC(message))) return;
      contents_ = contents_in(message);
      return build();
    case GST_MESSAGE_ELEMENT:
      if (not_flushed_ && pipeline_.is_flush_of(*not_flushed_, message)) not_flushed_.reset();
      return;
    case GST_MESSAGE_ASYNC_DONE:
      if (built_ && !not_flushed_ && pipeline_.is_whole(GST_MESSAGE_SRC(message))) prerolled();
      return;
    case GST_MESSAGE_EOS:
      if (built_ && !not_flushed_) reached_end();
      return;
    case GST_MESSAGE_ERROR:
      return handle_error(message);
    case GST_MESSAGE_WARNING:
      return handle_warning(message);
    case GST_MESSAGE_QOS:
      return count_dropped(message);
    case GST_MESSAGE_CLOCK_LOST:
      if (!playing_) return;
      pipeline_.set_playing(false);
      return pipeline_.set_playing(true);
    default:
      return;
  }
}

void PlayedTitle::handle_error(GstMessage* message) {
  GstObject* const source = GST_MESSAGE_SRC(message);
  if (!pipeline_.has(source)) return;  // it was replaced
  if (pipeline_.sound() && pipeline_.sound()->is_sink(source)) return handle_sound_failure(text_of(message).detail);
  const auto stream_failure = events_->failure();
  if (pipeline_.is_source(source) && stream_failure) return fail(problem_of(*stream_failure));
  if (recovering_ && pipeline_.is_source(source) && !std::exchange(source_failed_, true)) return restart(position());
  const MessageText said = text_of(message);
  const auto part = pipeline_.part_of(message);
  const Duration here = position();
  if (part == TrackKind::kVideo && pipeline_.decode_in_software()) {
    recovering_ = true;
    source_failed_ = false;
    restart(here);
    return tell_problem(
        {false, sentence("The graphics card cannot decode this picture; the processor does it."), {}, said.detail});
  }
  if (!part) return fail({true, said.what, {}, said.detail});
  fail({true,
        *part == TrackKind::kVideo ? sentence("The picture cannot be decoded.")
                                   : sentence("The sound cannot be decoded."),
        sentence("The title may be damaged, or of another codec than it says."),
        fmt::format("{}\n{}", said.what.english(), said.detail)});
}

void PlayedTitle::handle_warning(GstMessage* message) {
  const MessageText said = text_of(message);
  const bool of_sink = pipeline_.sound() && pipeline_.sound()->is_sink(GST_MESSAGE_SRC(message));
  if (of_sink) return tell_problem({false, sentence("The sound cannot be heard."), sound_advice(), said.detail});
  if (pipeline_.is_source(GST_MESSAGE_SRC(message))) tell_problem({false, said.what, {}, said.detail});
}

void PlayedTitle::handle_sound_failure(const std::string& detail) {
  if (pipeline_.sound()->silent()) return fail({true, sentence("The sound cannot be timed."), {}, detail});
  recovering_ = true;
  source_failed_ = false;
  const Duration here = position();
  pipeline_.set_playing(false);
  pipeline_.sound()->replace_sink();
  restart(here);
  tell_problem({false, sentence("The sound device failed; it plays on without sound."), sound_advice(), detail});
}

void PlayedTitle::restart(Duration here) {
  // An error ends the pipeline's change of state without a word, until the next change is asked for.
  pipeline_.set_playing(false);
  playing_ = false;
  seek_now(here);
}

void PlayedTitle::prerolled() {
  first_frame_ = true;
  recovering_ = false;
  if (seeking_to_) {
    last_position_ = pipeline_.position().value_or(*seeking_to_);
    seeking_to_.reset();
    if (!seek_next_) news_.add([position = last_position_](PlayerListener& listener) { listener.seeked(position); });
  }
  if (seek_next_) return seek_now(*seek_next_);
  update();
}

void PlayedTitle::reached_end() {
  if (settings_.loop) return seek_now(Duration{});
  ended_ = true;
  last_position_ = pipeline_.position().value_or(duration());
  look();  // the last subtitle ends with the title, however late the machine was
  update();
}

void PlayedTitle::count_dropped(GstMessage* message) {
  GstFormat format{};
  guint64 processed = 0, lost = 0;
  gst_message_parse_qos_stats(message, &format, &processed, &lost);
  if (format != GST_FORMAT_BUFFERS || lost == G_MAXUINT64) return;
  std::uint64_t& before = dropped_by_[GST_MESSAGE_SRC(message)];
  dropped_ += lost >= before ? lost - before : lost;  // elements count from zero again after a seek
  before = lost;
}

void PlayedTitle::look() {
  if (!seeking_to_) last_position_ = position();
  if (seek_next_ && !failed_ && Clock::now() >= seek_began_ + kOneSeek) seek_now(*seek_next_);
  const auto quality = pipeline_.source().quality();
  const bool other_quality = std::exchange(quality_seen_, quality) != quality;
  const std::string now_shown = text_now();
  if (std::exchange(shown_text_, now_shown) != now_shown)
    news_.add([now_shown](PlayerListener& listener) { listener.subtitle(now_shown); });
  if (other_quality) tell_changed();
}

void PlayedTitle::fail(PlayerProblem problem) {
  if (std::exchange(failed_, true)) return;
  pipeline_.set_playing(false);
  update();
  tell_problem(std::move(problem));
}

void PlayedTitle::tell_problem(PlayerProblem problem) {
  news_.add([problem = std::move(problem)](PlayerListener& listener) { listener.problem(problem); });
}

void PlayedTitle::tell_changed() {
  news_.add([](PlayerListener& listener) { listener.changed(); });
}

void PlayedTitle::update() {
  const bool should_play =
      built_ && first_frame_ && settings_.wants_to_play && !buffering_ && !ended_ && !failed_ && !recovering_;
  if (should_play != playing_ && !failed_) pipeline_.set_playing(should_play);
  playing_ = should_play;
  const PlayerState now = state();
  if (std::exchange(told_, now) != now) news_.add([now](PlayerListener& listener) { listener.state_changed(now); });
}

PlayerState PlayedTitle::state() const {
  if (failed_) return PlayerState::kFailed;
  if (!first_frame_) return PlayerState::kOpening;
  if (ended_) return PlayerState::kEnded;
  if (!settings_.wants_to_play) return PlayerState::kPaused;
  return buffering_ ? PlayerState::kBuffering : PlayerState::kPlaying;
}

}  // namespace tributary
