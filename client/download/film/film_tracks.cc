#include "download/film/film_tracks.hh"

#include <fmt/format.h>

#include <algorithm>

#include "download/film/film_error.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr AVRational kMicroseconds{1, 1'000'000};
// Sound that begins so far from its picture counts by another clock.
constexpr FilmTime kUnrelated = 10s;

}  // namespace

FilmTracks::Source::Source(SegmentQueue& queue, std::size_t number, const FilmTrack& of)
    : track{of}, reader{queue, {.number = number, .name = of.name, .picture = of.picture, .sound = of.sound}} {}

FilmTime FilmTracks::Source::time(std::int64_t ticks) const {
  return FilmTime{av_rescale_q(ticks, time_base(), kMicroseconds)} - track.early;
}

FilmTime FilmTracks::Source::film_end(const FilmFile& file) const {
  FilmTime end{};
  for (std::size_t i = 0; i < reader.streams().size(); ++i) end = std::max(end, file.end_of(first_stream + i));
  return end;
}

FilmTracks::FilmTracks(SegmentQueue& queue, const std::vector<FilmTrack>& tracks, FilmFile& file)
    : queue_{queue}, file_{file} {
  for (std::size_t i = 0; i < tracks.size(); ++i) sources_.emplace_back(queue, i, tracks[i]);
}

bool FilmTracks::write_all() {
  if (!open_all()) return false;
  file_.begin();
  for (Source& source : sources_) advance(source);
  place_all();
  while (Source* const next = earliest()) {
    if (!is_written_already(*next)) {
      const auto stream = static_cast<std::size_t>(next->packet->stream_index);
      file_.write(next->first_stream + stream, *next->packet, next->time_base(), *next->shift - next->track.early);
    }
    advance(*next);
    place_all();
  }
  if (queue_.stopped()) return false;
  file_.finish();
  return true;
}

/// The file must know all streams before it begins.
bool FilmTracks::open_all() {
  std::size_t streams = 0;
  for (Source& source : sources_) {
    const bool begun = source.reader.begin_stretch();
    if (queue_.stopped()) return false;
    if (!begun) throw FilmError{fmt::format("{}: not one segment of it has come", source.track.name)};
    source.stretch = 1;
    source.first_stream = streams;
    for (const AVStream* stream : source.reader.streams()) {
      const bool sound = stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
      file_.add_stream(*stream, sound ? source.track.label : TrackLabel{});
    }
    streams += source.reader.streams().size();
  }
  return true;
}

/// Reads the next packet, of the next stretch if this one ends.
void FilmTracks::advance(Source& source) {
  source.packet = source.reader.next();
  while (source.packet == nullptr && !queue_.stopped()) {
    const std::size_t streams = source.reader.streams().size();
    if (!source.reader.begin_stretch()) return;
    ++source.stretch;
    source.shift.reset();
    source.before.clear();
    for (std::size_t i = 0; i < streams; ++i) source.before.push_back(file_.end_of(source.first_stream + i));
    bool follows = source.reader.streams().size() == streams;
    for (std::size_t i = 0; follows && i < streams; ++i)
      follows = file_.can_follow(source.first_stream + i, *source.reader.streams()[i]);
    if (!follows) {
      throw FilmError{fmt::format("{}: it is encoded in another way from {:.1f} s on, and one file holds one way",
                                  source.track.name, std::chrono::duration<double>{source.film_end(file_)}.count())};
    }
    source.packet = source.reader.next();
  }
  if (source.packet != nullptr) complete_times(source);
}

/// A packet without times is shown behind the one before. Sound is decoded in the order in which it is heard: its
/// segments may state another time of decoding, to begin it with the pictures', and some containers have one time only.
void FilmTracks::complete_times(Source& source) {
  AVPacket& packet = *source.packet;
  if (packet.dts == AV_NOPTS_VALUE) packet.dts = packet.pts != AV_NOPTS_VALUE ? packet.pts : source.next_dts;
  if (packet.pts == AV_NOPTS_VALUE) packet.pts = packet.dts;
  if (source.reader.streams()[static_cast<std::size_t>(packet.stream_index)]->codecpar->codec_type ==
      AVMEDIA_TYPE_AUDIO)
    packet.dts = packet.pts;
  source.next_dts = packet.dts + packet.duration;
}

/// Decides the times of stretches that have begun. Those of the picture come first.
void FilmTracks::place_all() {
  Source& picture = sources_.front();
  if (picture.packet != nullptr && !picture.shift) {
    const FilmTime start = picture.time(picture.packet->pts);
    picture.shift = picture.film_end(file_) - start;
    pictures_.push_back({start, *picture.shift});
  }
  for (Source& source : sources_) {
    if (source.packet == nullptr || source.shift) continue;
    if (source.stretch <= pictures_.size() || picture.packet == nullptr) source.shift = place_beside(source);
  }
}

FilmTime FilmTracks::place_beside(const Source& source) const {
  const FilmTime start = source.time(source.packet->pts);
  if (source.stretch <= pictures_.size()) {
    const Placed& picture = pictures_[source.stretch - 1];
    if (!source.reader.timed()) return picture.start + picture.shift - start;
    if (std::chrono::abs(start - picture.start) < kUnrelated) return picture.shift;
  }
  return source.film_end(file_) - start;
}

/// Null if nothing is left. A track whose times depend on the picture's waits for it.
FilmTracks::Source* FilmTracks::earliest() {
  Source* first = nullptr;
  const auto decoded = [](const Source& source) { return source.time(source.packet->dts) + *source.shift; };
  for (Source& source : sources_) {
    if (source.packet == nullptr || !source.shift) continue;
    if (first == nullptr || decoded(source) < decoded(*first)) first = &source;
  }
  return first;
}

/// Sound of one stretch may last into the next one.
bool FilmTracks::is_written_already(const Source& source) {
  const AVPacket& packet = *source.packet;
  const auto stream = static_cast<std::size_t>(packet.stream_index);
  if (source.before.empty() || source.reader.streams()[stream]->codecpar->codec_type != AVMEDIA_TYPE_AUDIO)
    return false;
  return source.time(packet.pts + packet.duration / 2) + *source.shift < source.before[stream];
}

}  // namespace tributary
