#include "download/film/film_writer.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "demux/id3_tag.hh"
#include "demux/transport_times.hh"
#include "download/film/film_error.hh"
#include "download/film/film_tracks.hh"

namespace tributary {
namespace {

constexpr DataSize kMostWaiting{64'000'000};

/// Whether a segment of MPEG-TS that begins at `first` goes on behind one that ends at `last`, by their clock. Picture and
/// sound may be some seconds apart, and a segment in between may be missing.
bool goes_on(std::int64_t last, std::int64_t first) {
  constexpr std::int64_t kSecond = 90'000, kMostBack = 3 * kSecond, kMostAhead = 60 * kSecond;
  const std::int64_t ticks = transport_ticks(last, first);
  return ticks >= -kMostBack && ticks <= kMostAhead;
}

}  // namespace

FilmWriter::FilmWriter(FilmFile::Place place, std::vector<FilmTrack> tracks, std::string title)
    : place_{std::move(place)},
      tracks_{std::move(tracks)},
      title_{std::move(title)},
      known_(tracks_.size()),
      queue_{tracks_.size(), kMostWaiting} {
  thread_ = std::thread{[this] { run(); }};
}

FilmWriter::~FilmWriter() {
  queue_.stop();
  thread_.join();
}

void FilmWriter::take(SegmentIndex segment, std::vector<MediaPart> parts) {
  for (MediaPart& part : parts) {
    const auto track = std::ranges::find(tracks_, part.track, &FilmTrack::index);
    if (track != tracks_.end()) take_part(segment, std::move(part), static_cast<std::size_t>(track - tracks_.begin()));
  }
  queue_.wait_for_room();
  rethrow();
}

void FilmWriter::take_part(SegmentIndex segment, MediaPart part, std::size_t number) {
  Known& known = known_[number];
  bool begins_stretch = part.init || !known.layout;
  if (begins_stretch) known.layout = segment_layout(part.bytes);
  try {
    part.bytes = whole_segment(*known.layout, part.init, std::move(part.bytes));
  } catch (const std::runtime_error& error) {
    throw FilmError{fmt::format("{} {} of {} is damaged: {}", part.init ? "the init segment before" : "segment",
                                to_index(segment) + 1, tracks_[number].name, error.what())};
  }
  if (*known.layout == SegmentLayout::kTransportStream) {
    const auto times = transport_times(part.bytes);
    if (times && known.last_time && !goes_on(*known.last_time, times->first)) begins_stretch = true;
    if (times) known.last_time = times->last;
  }
  // A demuxer of sound without a container reads the tag in front of the first segment only.
  if (is_packed_audio(*known.layout) && !begins_stretch)
    part.bytes.erase(part.bytes.begin(), part.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  id3_tag(part.bytes).size, part.bytes.size())));
  queue_.push(number, std::move(part.bytes), begins_stretch);
}

bool FilmWriter::wait(Duration at_most) {
  {
    std::unique_lock lock{mutex_};
    if (!done_now_.wait_for(lock, at_most, [&] { return done_; })) return false;
  }
  rethrow();
  return true;
}

void FilmWriter::rethrow() {
  const std::lock_guard lock{mutex_};
  if (failed_) std::rethrow_exception(failed_);
}

void FilmWriter::run() {
  std::exception_ptr failed;
  try {
    FilmFile file{place_, [this] { return queue_.stopped(); }};
    file.set_title(title_);
    FilmTracks{queue_, tracks_, file}.write_all();
  } catch (...) {
    failed = std::current_exception();
  }
  {
    const std::lock_guard lock{mutex_};
    failed_ = failed;
    done_ = true;
  }
  if (failed) queue_.stop();  // nobody reads any more
  done_now_.notify_all();
}

}  // namespace tributary
