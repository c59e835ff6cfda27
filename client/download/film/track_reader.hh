#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "demux/demuxer.hh"
#include "download/film/segment_queue.hh"

namespace tributary {

/// Takes a track's segments apart into packets of picture and sound, as libavformat reads them, one stretch after the
/// other. Nothing but these bytes is opened, whatever they say. Throws FilmError for bytes that it cannot read.
class TrackReader : private ByteSource {
 public:
  struct Track {
    std::size_t number = 0;  // in the queue
    std::string name;        // for errors
    bool picture = false;    // its first picture is wanted
    bool sound = false;      // and its best sound
  };

  /// The queue must outlive it.
  TrackReader(SegmentQueue& queue, Track track) : queue_{queue}, track_{std::move(track)} {}
  TrackReader(const TrackReader&) = delete;  // the demuxer has its address

  /// Opens the next stretch, once enough of it has come. False if there is none, or the queue was stopped.
  bool begin_stretch();
  /// The streams of the stretch that are wanted, picture first.
  const std::vector<AVStream*>& streams() const { return streams_; }
  /// Whether its times are those of the track. Sound without a container may state none, and begins at zero then.
  bool timed() const { return timed_; }
  /// The next packet, whose stream_index counts streams(). Null at the end of the stretch. Valid until the next call.
  AVPacket* next();

 private:
  std::optional<std::size_t> read(std::span<std::byte> into) override { return queue_.read(track_.number, into); }
  void choose_streams();
  void add_begin(AVPacket& packet) const;

  SegmentQueue& queue_;
  Track track_;
  std::optional<Demuxer> demuxer_;
  std::vector<AVStream*> streams_;
  bool timed_ = true;
  std::int64_t begin_ = 0;  // of packed audio, where it is timed: 90000 in a second
  PacketHandle packet_ = make_packet();
};

}  // namespace tributary
