#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/get/film/libav.hh"
#include "apps/get/film/segment_queue.hh"

namespace tributary {

/// Takes a track's segments apart into packets of picture and sound, as libavformat reads them, one stretch after the
/// other. Nothing but these bytes is opened, whatever they say. Throws FilmError for bytes that it cannot read.
class TrackReader {
 public:
  struct Track {
    std::size_t number = 0;  // in the queue
    std::string name;        // for errors
    bool picture = false;    // its first picture is wanted
    bool sound = false;      // and its best sound
  };

  /// The queue must outlive it.
  TrackReader(SegmentQueue& queue, Track track) : queue_{queue}, track_{std::move(track)} {}
  TrackReader(const TrackReader&) = delete;  // libavformat has its address

  /// Opens the next stretch, once enough of it has come. False if there is none, or the queue was stopped.
  bool begin_stretch();
  /// The streams of the stretch that are wanted, picture first.
  const std::vector<AVStream*>& streams() const { return streams_; }
  /// The next packet, whose stream_index counts streams(). Null at the end of the stretch. Valid until the next call.
  AVPacket* next();

 private:
  static int read(void* self, std::uint8_t* into, int size);
  void choose_streams();
  [[noreturn]] void fail(const std::string& what, int result) const;

  SegmentQueue& queue_;
  Track track_;
  BytesHandle bytes_;  // must outlive the demuxer
  DemuxerHandle demuxer_;
  std::vector<AVStream*> streams_;
  PacketHandle packet_ = make_packet();
};

}  // namespace tributary
