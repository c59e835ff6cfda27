#include "gst/player/played_title.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookEvery = 100ms;
/// Longer than any title, and small enough that sums with it do not overflow.
constexpr Duration kFurthest = std::chrono::hours{24 * 365 * 10};

Seeks::Time now() { return std::chrono::steady_clock::now(); }

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

}  // namespace

PlayedTitle::PlayedTitle(const Surroundings& around, const std::string& url, Duration start)
    : settings_{around.settings},
      news_{around.news},
      seeks_{std::clamp(start, Duration{}, kFurthest)},
      listener_{around.context, news_,
                [this](const StreamInfo& info) {
                  info_ = info;
                  build();
                }},
      pipeline_{around.options, around.show, around.context,
                [this](GstMessage* message) {
                  const PlayerNews::Call call{news_};
                  if (!state_.has_failed()) handle(message);
                }},
      text_{around.context,
            url,
            {.ahead = [this](Duration there) { return pipeline_.source().media_ahead(there); },
             .links = [this] { return links_for_side_files(pipeline_.source().status().links); },
             .failed =
                 [this](const std::string& error) {
                   const PlayerNews::Call call{news_};
                   news_.problem({false, sentence("The subtitles cannot be shown."), {}, error});
                 }}},
      looking_{around.context, kLookEvery, [this] {
                 const PlayerNews::Call call{news_};
                 look();
               }} {
  update();
  picture_box_changed();
  pipeline_.open(url, seeks_.last(), settings_.speed, listener_);
  quality_changed();
}

void PlayedTitle::build() {
  if (!info_ || !contents_ || state_.can_seek() || state_.has_failed()) return;
  const std::vector<PlayerProblem> problems = pipeline_.build(*info_, *contents_, settings_.decoders);
  for (const PlayerProblem& problem : problems) {
    if (problem.fatal) return fail(problem);
  }
  state_.built();
  if (pipeline_.sound()) sound_ = info_->sound;
  sound_changed();
  news_.add([info = *info_](PlayerListener& listener) { listener.opened(info); });
  for (const PlayerProblem& problem : problems) news_.problem(problem);
  update();
}

void PlayedTitle::wish_changed() {
  if (settings_.wants_to_play && state_.has_ended()) seek_now(Duration{});
  update();
}

void PlayedTitle::speed_changed() {
  if (state_.can_seek() && !state_.has_ended()) seek_now(position());
}

void PlayedTitle::sound_changed() {
  if (!pipeline_.sound()) return;
  pipeline_.sound()->set_volume(settings_.volume);
  pipeline_.sound()->set_muted(settings_.muted);
  pipeline_.sound()->set_delay(settings_.sound_delay);
}

void PlayedTitle::look() {
  seeks_.played_to(position());
  if (const auto due = seeks_.due(now()); due && !state_.has_failed()) seek_now(*due);
  const auto quality = pipeline_.source().quality();
  const bool other_quality = std::exchange(quality_seen_, quality) != quality;
  if (text_.look(position() - settings_.text_delay, pipeline_.captions()))
    news_.add([shown = text_.shown()](PlayerListener& listener) { listener.subtitle(shown); });
  if (other_quality) news_.changed();
}

void PlayedTitle::seek(Duration target, Player::SeekTo how) {
  if (state_.has_failed()) return;
  const Duration end = duration();
  target = std::clamp(target, Duration{}, end > Duration{} ? end : kFurthest);
  if (how == Player::SeekTo::kSegment) target = pipeline_.source().segment_start(target);
  if (seeks_.may_begin(target, state_.has_shown(), now())) seek_now(target);
}

void PlayedTitle::seek_now(Duration target) {
  state_.seeking();
  seeks_.begin(target, now());
  seeks_.sent(pipeline_.seek(target, settings_.speed));
  update();
}

void PlayedTitle::step(int frames) {
  const Track& track = info_->leading_track();
  const std::int64_t last = std::max<std::int64_t>(frame_at(duration() - 2us, track), 0);
  seek_now(frame_begin(std::clamp<std::int64_t>(frame_at(position(), track) + frames, 0, last), track));
}

void PlayedTitle::choose_sound(std::size_t track) {
  if (!state_.can_seek() || !pipeline_.sound() || sound_ == track) return;
  if (std::ranges::find(info_->sounds, track) == info_->sounds.end()) return;
  sound_ = track;
  pipeline_.source().choose_sound(track);
  if (!state_.has_ended()) seek_now(position());
  news_.changed();
}

void PlayedTitle::choose_text(std::optional<std::size_t> track) {
  if (info_) text_.choose(track, *info_, pipeline_.captions());
  look();
  news_.changed();
}

void PlayedTitle::add_text(const std::string& name, TextFile file) {
  if (!info_ || !contents_) return;
  const std::size_t track = text_.add(name, std::move(file), *info_);
  news_.add([info = *info_](PlayerListener& listener) { listener.text_added(info); });
  choose_text(track);
}

Duration PlayedTitle::position() const {
  if (const auto target = seeks_.target()) return *target;
  if (state_.has_ended() || !state_.has_shown()) return seeks_.last();
  return pipeline_.position().value_or(seeks_.last());
}

Duration PlayedTitle::duration() const {
  if (!info_) return {};
  if (info_->live) return pipeline_.source().status().available;
  const Track& track = info_->leading_track();
  Duration total{};
  for (std::size_t i = 0; i < track.durations.size(); ++i) total += track.duration(static_cast<SegmentIndex>(i));
  return total;
}

PlayedTitle::Frames PlayedTitle::frames() const {
  return {pipeline_.picture() ? pipeline_.picture()->frames_shown() : 0, dropped_.count()};
}

void PlayedTitle::handle(GstMessage* message) {
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_BUFFERING: {
      gint percent = 0;
      gst_message_parse_buffering(message, &percent);
      state_.buffered(percent);
      return update();
    }
    case GST_MESSAGE_STREAM_COLLECTION:
      if (!pipeline_.is_source(GST_MESSAGE_SRC(message))) return;
      contents_ = contents_in(message);
      return build();
    case GST_MESSAGE_ELEMENT:
      if (const auto seek = pipeline_.flushed_by(message)) seeks_.flushed(*seek);
      return;
    case GST_MESSAGE_ASYNC_DONE:
      if (state_.can_seek() && seeks_.up_to_date() && pipeline_.is_whole(GST_MESSAGE_SRC(message))) prerolled();
      return;
    case GST_MESSAGE_EOS:
      if (state_.can_seek() && seeks_.up_to_date()) reached_end();
      return;
    case GST_MESSAGE_ERROR: {
      const Duration here = position();
      return follow(after_error(message, pipeline_, state_, listener_.failure()), here);
    }
    case GST_MESSAGE_WARNING:
      return follow(after_warning(message, pipeline_), position());
    case GST_MESSAGE_QOS:
      return dropped_.add(message);
    case GST_MESSAGE_CLOCK_LOST:
      if (!state_.playing()) return;
      pipeline_.set_playing(false);
      return pipeline_.set_playing(true);
    default:
      return;
  }
}

void PlayedTitle::follow(const Consequence& consequence, Duration here) {
  if (consequence.problem && consequence.problem->fatal) return fail(*consequence.problem);
  if (consequence.restarts) {
    // An error ends the pipeline's change of state without a word, until the next change is asked for.
    pipeline_.set_playing(false);
    state_.was_paused();
    seek_now(here);
  }
  if (consequence.problem) news_.problem(*consequence.problem);
}

void PlayedTitle::prerolled() {
  state_.shown();
  if (const auto position = seeks_.arrived(pipeline_.position()))
    news_.add([position = *position](PlayerListener& listener) { listener.seeked(position); });
  if (const auto next = seeks_.waiting()) return seek_now(*next);
  update();
}

void PlayedTitle::reached_end() {
  if (settings_.loop) return seek_now(Duration{});
  state_.ended();
  seeks_.played_to(pipeline_.position().value_or(duration()));
  look();  // the last subtitle ends with the title, however late the machine was
  update();
}

void PlayedTitle::fail(const PlayerProblem& problem) {
  seeks_.played_to(position());
  state_.failed();
  pipeline_.set_playing(false);
  update();
  news_.problem(problem);
}

void PlayedTitle::update() {
  const TitleState::Changes changes = state_.take_changes(settings_.wants_to_play);
  if (changes.playing) pipeline_.set_playing(*changes.playing);
  if (changes.state) news_.add([now = *changes.state](PlayerListener& listener) { listener.state_changed(now); });
}

}  // namespace tributary
