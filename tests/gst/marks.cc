#include "marks.hh"

#include <gst/audio/audio.h>
#include <gst/video/video.h>

#include <cmath>
#include <numbers>

namespace tributary::testing {
namespace {

constexpr int kCells = 21, kFrameBits = 16, kQualityBits = 2, kFlashCell = 20;
constexpr unsigned kFrameRate = 25;

/// A picture whose pixels can be looked at.
class MappedPicture {
 public:
  explicit MappedPicture(GstSample* sample) {
    mapped_ = gst_video_info_from_caps(&info_, gst_sample_get_caps(sample)) != FALSE &&
              gst_video_frame_map(&frame_, &info_, gst_sample_get_buffer(sample), GST_MAP_READ) != FALSE;
  }
  ~MappedPicture() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }
  MappedPicture(const MappedPicture&) = delete;
  MappedPicture& operator=(const MappedPicture&) = delete;

  bool mapped() const { return mapped_; }
  /// Luma, or green, around the middle of a cell.
  int cell(int number) const {
    const int width = info_.width / kCells;
    return around(number * width + width / 2, info_.height / 9 / 2);
  }
  int middle() const { return around(info_.width / 2, info_.height / 2); }

 private:
  int around(int x, int y) const {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) sum += pixel(x + dx, y + dy);
    }
    return sum / 9;
  }
  int pixel(int x, int y) const {
    const int component = GST_VIDEO_INFO_IS_RGB(&info_) ? GST_VIDEO_COMP_G : GST_VIDEO_COMP_Y;
    const auto* data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_COMP_DATA(&frame_, component));
    return data[y * GST_VIDEO_FRAME_COMP_STRIDE(&frame_, component) +
                x * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame_, component)];
  }

  GstVideoInfo info_{};
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

}  // namespace

std::optional<PictureMark> read_picture(GstSample* sample) {
  const MappedPicture picture{sample};
  if (!picture.mapped()) return std::nullopt;
  const int white = picture.cell(0), black = picture.cell(1);
  if (white - black < 60) return std::nullopt;
  const auto bit = [&](int cell) { return picture.cell(cell) > (white + black) / 2 ? 1u : 0u; };
  PictureMark mark;
  for (int i = 0; i < kFrameBits; ++i) mark.frame |= bit(2 + i) << i;
  for (int i = 0; i < kQualityBits; ++i) mark.quality |= bit(2 + kFrameBits + i) << i;
  mark.flash = bit(kFlashCell) == 1;
  if (mark.flash != (mark.frame % kFrameRate == 0)) return std::nullopt;
  return mark;
}

bool is_white(GstSample* sample) {
  const MappedPicture picture{sample};
  return picture.mapped() && picture.middle() > 180;
}

void SoundMarks::add(GstSample* sample) {
  GstAudioInfo info;
  if (gst_audio_info_from_caps(&info, gst_sample_get_caps(sample)) == FALSE) return;
  GstBuffer* const buffer = gst_sample_get_buffer(sample);
  const Duration begin{static_cast<Duration::rep>(GST_BUFFER_PTS(buffer))};
  if (next_) largest_gap_ = std::max(largest_gap_, Duration{std::llabs((begin - *next_).count())});
  GstMapInfo map;
  if (gst_buffer_map(buffer, &map, GST_MAP_READ) == FALSE) return;
  const auto* values = reinterpret_cast<const float*>(map.data);
  const std::size_t frames = map.size / (2 * sizeof(float));
  for (std::size_t i = 0; i < frames; ++i)
    hear(values[2 * i], values[2 * i + 1], begin + from_seconds(static_cast<double>(i) / info.rate));
  gst_buffer_unmap(buffer, &map);
  next_ = begin + from_seconds(static_cast<double>(frames) / info.rate);
}

double SoundMarks::frequency() const {
  return samples_ == 0 ? 0 : static_cast<double>(crossings_) / 2 * 48000 / static_cast<double>(samples_);
}

void SoundMarks::hear(float left, float right, Duration at) {
  constexpr double kTone = 2 * std::numbers::pi * 440 / 48000, kClick = 0.01;
  constexpr std::uint64_t kStart = 4096;  // an encoder that begins, or a decoder that has nothing before
  constexpr std::uint64_t kPause = 24000;
  constexpr Duration kSameBreak = std::chrono::milliseconds{100};
  // A sine goes on as 2 cos(w) x[n-1] - x[n-2].
  const double residual = left - 2 * std::cos(kTone) * before_ + before_that_;
  if ((left < 0) != (before_ < 0)) ++crossings_;
  before_that_ = before_;
  before_ = left;
  if (++samples_ > kStart && std::abs(residual) > kClick && (breaks_.empty() || at - breaks_.back() > kSameBreak))
    breaks_.push_back(at);
  const bool loud = std::abs(right) > 0.1;
  if (loud && silent_ > kPause) ticks_.push_back(at);
  silent_ = loud ? 0 : silent_ + 1;
}

}  // namespace tributary::testing
