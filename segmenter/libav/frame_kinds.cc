#include "segmenter/libav/frame_kinds.hh"

#include <fmt/format.h>

#include <algorithm>

namespace tributary::segmenter {
namespace {

/// Types of NAL units (Table 7-1) and slices (Table 7-6).
constexpr unsigned kOtherSlice = 1, kIdrSlice = 5;
constexpr unsigned kPSlice = 0, kBSlice = 1, kSpSlice = 3, kSliceTypes = 5;

/// The bits of a NAL unit, without the bytes that prevent start codes in it (section 7.4.1).
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> unit) : unit_{unit} {}

  /// ue(v) of section 9.1.
  unsigned exp_golomb() {
    int zeros = 0;
    while (bit() == 0) {
      if (++zeros > 31) throw BoxError{"a slice header is not one of H.264"};
    }
    unsigned value = 1;
    for (; zeros > 0; --zeros) value = value << 1 | bit();
    return value - 1;
  }

 private:
  unsigned bit() {
    if (left_ == 0) {
      if (zero_bytes_ == 2 && at_ < unit_.size() && unit_[at_] == std::byte{3}) {
        ++at_;
        zero_bytes_ = 0;
      }
      if (at_ == unit_.size()) throw BoxError{"a slice header ends too early"};
      byte_ = std::to_integer<unsigned>(unit_[at_++]);
      zero_bytes_ = byte_ == 0 ? zero_bytes_ + 1 : 0;
      left_ = 8;
    }
    return byte_ >> --left_ & 1;
  }

  std::span<const std::byte> unit_;
  std::size_t at_ = 0;
  int zero_bytes_ = 0, left_ = 0;
  unsigned byte_ = 0;
};

/// If a frame has several slices, the one that depends most on other frames decides.
FrameKind kind_of(std::span<const std::byte> sample, std::size_t length_size) {
  bool found = false, reference = false, forward = false, both = false;
  for (ByteReader reader{"a frame", sample}; !reader.rest().empty();) {
    const auto unit = reader.take(static_cast<std::size_t>(reader.number(length_size)));
    if (unit.empty()) continue;
    const unsigned header = std::to_integer<unsigned>(unit[0]);
    if ((header & 0x1f) != kOtherSlice && (header & 0x1f) != kIdrSlice) continue;
    BitReader slice{unit.subspan(1)};
    slice.exp_golomb();  // first_mb_in_slice
    const unsigned type = slice.exp_golomb() % kSliceTypes;
    found = true;
    reference = reference || (header >> 5 & 3) != 0;  // nal_ref_idc
    forward = forward || type == kPSlice || type == kSpSlice;
    both = both || type == kBSlice;
  }
  if (!found) throw BoxError{"a frame has no slice"};
  if (both) return reference ? FrameKind::kBReference : FrameKind::kBDisposable;
  return forward ? FrameKind::kP : FrameKind::kI;
}

}  // namespace

std::vector<Frame> frames_in(std::span<const std::byte> segment, const InitFacts& init) {
  if (init.nal_length_size == 0)
    throw BoxError{fmt::format("kinds of frames are known of H.264, not of {}", init.codec)};
  const SegmentFacts facts = read_segment(segment, init);
  std::vector<Frame> frames;
  for (const MediaSample& sample : facts.samples) {
    const DataSize at{static_cast<std::int64_t>(sample.begin)};
    frames.push_back({kind_of(segment.subspan(sample.begin, sample.size), init.nal_length_size),
                      {at, at + DataSize{static_cast<std::int64_t>(sample.size)}}});
  }
  return frames;
}

}  // namespace tributary::segmenter
