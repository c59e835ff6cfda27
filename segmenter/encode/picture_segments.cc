#include "segmenter/encode/picture_segments.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tributary::segmenter {
namespace {

constexpr const char* kNoKeyframe = "no keyframe, but a segment begins there (--segment sets its duration)";

Track describe(const std::string& id, const EncodedPicture& picture, int reordering, const SegmentPlan& plan) {
  Track track;
  track.id = id;
  track.kind = TrackKind::kVideo;
  track.group = "video";
  track.mime = "video/mp4";
  track.timescale = plan.timescale();
  track.offset = reordering * plan.picture_ticks();
  track.width = picture.codec->width;
  track.height = picture.codec->height;
  track.frame_rate_num = plan.frame_rate().num;
  track.frame_rate_den = plan.frame_rate().den;
  track.bitrate.target =
      DataRate::bits_per_second(static_cast<double>(std::max<std::int64_t>(0, picture.codec->bit_rate)));
  return track;
}

}  // namespace

PictureSegments::PictureSegments(const std::string& id, const EncodedPicture& picture, std::string file, int reordering,
                                 const SegmentPlan& plan, const TrackDestination& destination)
    : file_{std::move(file)},
      codec_{picture.codec->codec_id},
      plan_{plan},
      reordering_{reordering},
      cmaf_{*picture.codec,
            {plan.frame_rate().num, plan.frame_rate().den},
            plan.timescale(),
            destination.publication.layout().chunk,
            1,
            picture.stream},
      writer_{destination, tributary::segmenter::describe(id, picture, reordering, plan), ".m4s"},
      seen_(length_from(0)) {
  writer_.write_init(cmaf_.init());
}

void PictureSegments::add(AVPacket& packet, std::int64_t number, RandomAccess access) {
  if (seen_count_ == seen_.size()) end_segment();
  check_place(packet, number, access);
  // All later pictures of a complete segment are shown after its first.
  if (seen_count_ == 0) packet.flags |= AV_PKT_FLAG_KEY;
  seen_[static_cast<std::size_t>(number - begin())] = true;
  packet.pts = (number + reordering_) * plan_.picture_ticks();
  packet.dts = static_cast<std::int64_t>(decoded_) * plan_.picture_ticks();
  ++seen_count_;
  ++decoded_;
  cmaf_.add(packet);
}

void PictureSegments::check_start(std::int64_t number, RandomAccess access) const {
  if (access == RandomAccess::kNone) refuse(begin(), kNoKeyframe);
  if (number != begin()) refuse(number, "a keyframe, but no segment begins there");
  if (access == RandomAccess::kOpen && codec_ == AV_CODEC_ID_H264) {
    refuse(number, "a recovery point, but no IDR picture, with which a segment begins: groups of pictures are open");
  }
}

void PictureSegments::check_place(const AVPacket& packet, std::int64_t number, RandomAccess access) const {
  const std::int64_t end = begin() + static_cast<std::int64_t>(seen_.size());
  if (seen_count_ == 0) check_start(number, access);
  if (number >= end && access == RandomAccess::kNone) refuse(end, kNoKeyframe);
  if (number >= end) check_complete(seen_.size());
  if (number < begin() || seen_[static_cast<std::size_t>(number - begin())]) {
    refuse(number, "two pictures: the frame rate varies");
  }
  if (number + reordering_ < static_cast<std::int64_t>(decoded_)) {
    refuse(number, "comes later than the header of the stream announces (depth of reordering)");
  }
  if (decoded_ > 0 && av_packet_get_side_data(&packet, AV_PKT_DATA_NEW_EXTRADATA, nullptr) != nullptr) {
    refuse(number, "the parameters of the codec change");
  }
}

void PictureSegments::check_complete(std::size_t count) const {
  const auto end = seen_.begin() + static_cast<std::ptrdiff_t>(count);
  const auto hole = std::find(seen_.begin(), end, false);
  if (hole == end) return;
  refuse(begin() + (hole - seen_.begin()),
         "a picture is missing when the next keyframe comes: the frame rate varies, or groups of pictures "
         "are open");
}

Track PictureSegments::finish() {
  if (seen_count_ > 0) end_segment();
  return writer_.finish();
}

void PictureSegments::end_segment() {
  check_complete(seen_count_);
  const std::int64_t end = static_cast<std::int64_t>(decoded_) * plan_.picture_ticks();
  writer_.write_segment(cmaf_.take_segment(end), seen_count_ * static_cast<std::uint64_t>(plan_.picture_ticks()));
  seen_.assign(length_from(decoded_), false);
  seen_count_ = 0;
}

std::size_t PictureSegments::length_from(std::uint64_t picture) const {
  return static_cast<std::size_t>(plan_.begin(plan_.segments(picture) + 1) - picture);
}

void PictureSegments::refuse(std::int64_t number, const std::string& why) const {
  throw Failure{ExitCode::kInput, fmt::format("{} at {:.3f} s: {}", file_,
                                              static_cast<double>(number) / plan_.frame_rate().per_second(), why)};
}

}  // namespace tributary::segmenter
