#pragma once

#include <chrono>
#include <vector>

#include "download/files/destination.hh"
#include "sink/segment_sink.hh"

namespace tributary {

/// Writes each piece to its place in the file, whether or not its chunk becomes whole, and notes beside the file which
/// bytes are there. It makes a note at most once a second, and only of bytes that are on the disk, so that a note still
/// holds after a power failure.
class ChunkSink : public SegmentSink {
 public:
  /// Destination and state must outlive the sink. `chunks` has one range for each segment.
  ChunkSink(Destination& destination, DownloadState& state, std::vector<ByteRange> chunks);

  /// Throws WriteError.
  void arrive(SegmentIndex segment, std::uint32_t part, DataSize offset, std::span<const std::byte> bytes) override;
  /// Writes at a place of the file.
  void write(DataSize at, std::span<const std::byte> bytes);
  bool wants_whole() const override { return false; }
  void take(SegmentIndex /*segment*/, std::vector<MediaPart> /*parts*/) override {}  // all of it has arrived
  /// Makes a note now. Throws WriteError.
  void save();

 private:
  Destination& destination_;
  DownloadState& state_;
  std::vector<ByteRange> chunks_;
  std::chrono::steady_clock::time_point saved_{};
};

}  // namespace tributary
