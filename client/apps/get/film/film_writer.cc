#include "apps/get/film/film_writer.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/get/film/film_error.hh"
#include "apps/get/film/film_tracks.hh"

namespace tributary {
namespace {

constexpr DataSize kMostWaiting{64'000'000};

}  // namespace

FilmWriter::FilmWriter(FilmFile::Place place, std::vector<FilmTrack> tracks, std::string title)
    : place_{std::move(place)},
      tracks_{std::move(tracks)},
      title_{std::move(title)},
      layouts_(tracks_.size()),
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
    if (track == tracks_.end()) continue;
    const auto number = static_cast<std::size_t>(track - tracks_.begin());
    std::optional<SegmentLayout>& layout = layouts_[number];
    const bool begins_stretch = part.init || !layout;
    if (begins_stretch) layout = segment_layout(part.bytes);
    try {
      must_be_whole(*layout, part.init, part.bytes);
    } catch (const std::runtime_error& error) {
      throw FilmError{fmt::format("{} {} of {} is damaged: {}", part.init ? "the init segment before" : "segment",
                                  to_index(segment) + 1, track->name, error.what())};
    }
    queue_.push(number, std::move(part.bytes), begins_stretch);
  }
  queue_.wait_for_room();
  rethrow();
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
