#include "core/qualities/segments_ahead.hh"

#include <algorithm>

namespace tributary {

SegmentsAhead::SegmentsAhead(const SegmentTable& table) : table_{table}, count_{table.segment_count()} {
  last_point_ = to_index(table.switch_point(static_cast<SegmentIndex>(count_ - 1)));
  group_ = last_point_ == 0 ? count_
                            : last_point_ - to_index(table.switch_point(static_cast<SegmentIndex>(last_point_ - 1)));
}

bool SegmentsAhead::continues(std::size_t i) const {
  return i < count_ ? table_.continues(static_cast<SegmentIndex>(i)) : (i - last_point_) % group_ != 0;
}

Duration SegmentsAhead::duration(std::size_t i) const {
  return table_.duration(static_cast<SegmentIndex>(std::min(i, count_ - 1)));
}

double SegmentsAhead::bytes(std::size_t i, QualityIndex quality) const {
  if (i < count_) return static_cast<double>(table_.size(static_cast<SegmentIndex>(i), quality).bytes());
  return table_.bitrate(quality).bits_per_second() / 8 * to_seconds(duration(i));
}

Duration group_duration(SegmentIndex segment, const SegmentTable& table) {
  const SegmentsAhead ahead{table};
  std::size_t i = to_index(segment);
  Duration sum = ahead.duration(i);
  while (ahead.continues(++i)) sum += ahead.duration(i);
  return sum;
}

}  // namespace tributary
