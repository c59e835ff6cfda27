#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "demux/libav.hh"
#include "demux/segment_layout.hh"

namespace tributary {

/// libavformat cannot go on. The text says what was tried, and its reason.
class DemuxError : public std::runtime_error {
 public:
  DemuxError(const std::string& what, int result) : std::runtime_error{what + ": " + libav_reason(result)} {}
};

/// Where the bytes of a demuxer come from.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the beginning of `into`, and says how much; 0 at the end. Nothing: reading is to end at once.
  virtual std::optional<std::size_t> read(std::span<std::byte> into) = 0;
  /// Nothing if one can only read on.
  virtual std::optional<std::size_t> size() const { return std::nullopt; }
  /// Goes on at that byte, at most size(). Called only where there is a size.
  virtual void seek(std::size_t /*to*/) {}
};

/// Takes bytes of one layout apart into packets, by libavformat. Nothing but these bytes is opened, whatever they say.
class Demuxer {
 public:
  /// The source must outlive it. Reads what is in front of the first packet. Throws DemuxError.
  Demuxer(ByteSource& source, SegmentLayout layout);
  Demuxer(const Demuxer&) = delete;  // libavformat has its address

  /// Its streams may become more while packets are read.
  AVFormatContext& context() { return *context_; }
  /// False at the end, and after the source said to end. Throws DemuxError.
  bool read(AVPacket& packet);

 private:
  static int read_bytes(void* source, std::uint8_t* into, int size);
  static std::int64_t seek_bytes(void* source, std::int64_t offset, int whence);

  ByteSource& source_;
  std::size_t at_ = 0;  // of the source, where it has a size
  BytesHandle bytes_;   // must outlive the context
  DemuxerHandle context_;
};

}  // namespace tributary
