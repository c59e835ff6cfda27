#include "segmenter/live/live_stretch.hh"

#include <algorithm>
#include <cmath>

#include "segmenter/encode/automatic_ladder.hh"
#include "system/utc_now.hh"

namespace tributary::segmenter {
namespace {

/// Short, because x264's look-ahead adds to the delay of each segment.
constexpr double kLookAheadSeconds = 0.25;
/// The same for the delay of each part, as a share of its duration.
constexpr double kLookAheadOfPart = 0.25;
/// The most that an encoder may be behind; from half of it on, pictures are left out.
constexpr double kBehindSeconds = 1;
/// The largest backlog of a source that was examined before it is read.
constexpr double kBacklogSeconds = 5;

int pictures_in(double seconds, FrameRate rate) {
  return std::max(1, static_cast<int>(std::lround(seconds * rate.per_second())));
}

LookAhead look_ahead(FrameRate rate, Duration part) {
  if (part == Duration{}) return {pictures_in(kLookAheadSeconds, rate)};
  return {pictures_in(std::min(kLookAheadSeconds, kLookAheadOfPart * to_seconds(part)), rate), true};
}

std::size_t room(FrameRate rate) { return static_cast<std::size_t>(pictures_in(kBehindSeconds, rate)); }

/// Begins when the first picture came, which is before it is encoded: clients ask for a segment by this time.
LiveBeginning beginning_after(const Publication& publication, std::chrono::steady_clock::time_point first_came,
                              std::vector<Presentation> stretches) {
  LiveBeginning beginning = find_beginning(
      publication,
      std::chrono::floor<std::chrono::milliseconds>(utc_now() - (std::chrono::steady_clock::now() - first_came)));
  // The index has only the last stretch.
  if (!stretches.empty()) beginning.stretches = std::move(stretches);
  return beginning;
}

std::uint64_t backlog(FrameRate rate) { return static_cast<std::uint64_t>(pictures_in(kBacklogSeconds, rate)); }

}  // namespace

LiveStretch::LiveStretch(const LiveOptions& options, const Publication& publication, LiveInput& input,
                         EncodeProgress& progress, std::vector<Presentation> earlier)
    : input_{input},
      progress_{progress},
      plan_{input.picture().rate, options.segment},
      beginning_{beginning_after(publication, input.began(), std::move(earlier))},
      live_{publication, beginning_, options.window},
      choice_{{room(plan_.frame_rate()), input.comes_by_itself() ? backlog(plan_.frame_rate()) : 0},
              plan_,
              {plan_, publication.layout().part}} {
  TrackDestination destination{publication, beginning_.first_number, beginning_.start, this};
  if (publication.layout().part > Duration{}) destination.zero = beginning_.availability_start;
  const std::vector<Quality> ladder = ladder_for(options.ladder, input.picture(), options.video.codec);
  video_.emplace(input.picture(),
                 LadderSettings{.qualities = ladder,
                                .encoding = options.video,
                                .threads = threads_of_each(ladder.size()),
                                .look_ahead = look_ahead(plan_.frame_rate(), publication.layout().part),
                                .waiting = room(plan_.frame_rate())},
                 plan_, destination, &choice_);
  if (input.sound() != nullptr) {
    SoundEncoding sound = *options.audio;
    sound.stretches = input.comes_by_itself();
    sound_.emplace(*input.sound(), sound, video_->offset(), plan_, destination);
  }
  live_.set_tracks(describe(), plan_.seconds(static_cast<std::uint64_t>(plan_.pictures_per_segment())));
  live_.set_title(options.title.value_or(input.title()));
}

std::vector<Track> LiveStretch::describe() const {
  std::vector<Track> tracks = video_->describe();
  if (sound_) tracks.push_back(sound_->describe());
  return tracks;
}

void LiveStretch::run(const std::atomic<bool>& stop) {
  while (!stop) {
    const auto decoded = input_.next();
    if (!decoded) break;
    add(*decoded);
  }
  video_->end();
  pictures_ = video_->pictures();
  video_->finish();
  if (sound_) sound_->finish(pictures_);
  video_.reset();  // frees much memory, because the source may be away for long
  sound_.reset();
}

void LiveStretch::add(const Decoded& decoded) {
  if (decoded.kind == Decoded::Kind::kPicture) {
    choice_.source_is_late(static_cast<std::uint64_t>(to_seconds(input_.late()) * plan_.frame_rate().per_second()));
    video_->add(*decoded.frame);
  } else if (sound_) {
    sound_->add(*decoded.frame);
  }
  if (sound_) sound_->keep_up(video_->pictures(), input_.has_sound_now());
  const std::uint64_t before = std::exchange(pictures_, video_->pictures());
  progress_.stands_at(beginning_.first_number + live_.segments(), choice_.left_out());
  progress_.pictures_done(pictures_ - before);
}

void LiveStretch::segment_written(const WrittenSegment& segment) {
  live_.segment_written(segment);
  progress_.segment_written(segment);
}

}  // namespace tributary::segmenter
