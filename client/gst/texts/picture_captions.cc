#include "gst/texts/picture_captions.hh"

#include <gst/video/video.h>

#include <algorithm>
#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kKept = 60s;  // texts behind the newest picture
constexpr std::size_t kMostTexts = 1000;
constexpr Duration kPassed = 10s;  // a caption is there for that long, mostly
constexpr std::size_t kMostPassed = 1000;

/// Pairs of bytes of the first field, as groups of three with their field.
std::vector<std::byte> with_field(std::span<const std::byte> pairs) {
  constexpr std::byte kFirstField{0xfc};  // valid, type 0
  std::vector<std::byte> groups;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    groups.insert(groups.end(), {kFirstField, pairs[i], pairs[i + 1]});
  return groups;
}

/// cc_data of a picture; empty: it has none.
std::vector<std::byte> captions_of(GstBuffer* picture) {
  std::vector<std::byte> found;
  gpointer state = nullptr;
  while (const auto* const meta = gst_buffer_iterate_meta_filtered(picture, &state, GST_VIDEO_CAPTION_META_API_TYPE)) {
    const auto& captions = *reinterpret_cast<const GstVideoCaptionMeta*>(meta);
    const auto bytes = std::as_bytes(std::span{captions.data, captions.size});
    if (captions.caption_type == GST_VIDEO_CAPTION_TYPE_CEA708_RAW) return {bytes.begin(), bytes.end()};
    if (captions.caption_type == GST_VIDEO_CAPTION_TYPE_CEA608_RAW) found = with_field(bytes);
  }
  return found;
}

}  // namespace

void PictureCaptions::watch(GstPad* decoded) {
  gst_segment_init(&segment_, GST_FORMAT_TIME);
  constexpr auto kPassing = static_cast<GstPadProbeType>(
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH);
  gst_pad_add_probe(decoded, kPassing, &PictureCaptions::on_pass, this, nullptr);
}

GstPadProbeReturn PictureCaptions::on_pass(GstPad*, GstPadProbeInfo* info, gpointer self) {
  auto& captions = *static_cast<PictureCaptions*>(self);
  const std::lock_guard lock{captions.mutex_};
  if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0)
    captions.take(GST_PAD_PROBE_INFO_BUFFER(info));
  else
    captions.take(GST_PAD_PROBE_INFO_EVENT(info));
  return GST_PAD_PROBE_OK;
}

void PictureCaptions::take(GstBuffer* picture) {
  std::vector<std::byte> captions = captions_of(picture);
  if (captions.empty() || !GST_BUFFER_PTS_IS_VALID(picture)) return;
  const guint64 shown = gst_segment_to_stream_time(&segment_, GST_FORMAT_TIME, GST_BUFFER_PTS(picture));
  if (shown == GST_CLOCK_TIME_NONE) return;
  passed_.push_back({Duration{static_cast<Duration::rep>(shown)}, std::move(captions)});
  while (passed_.size() > kMostPassed || passed_.front().time < passed_.back().time - kPassed) passed_.pop_front();
  decode(passed_.back());
}

void PictureCaptions::decode(const Passed& passed) {
  if (!decoder_) return;
  std::optional<std::string> text = decoder_->take(passed.time, passed.captions);
  if (!text || (texts_.empty() ? text->empty() : texts_.back().markup == *text)) return;
  texts_.push_back({passed.time, std::move(*text)});
  while (texts_.size() > 1 && (texts_.size() > kMostTexts || texts_[1].begin < passed.time - kKept)) texts_.pop_front();
}

void PictureCaptions::take(GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) {
    gst_event_copy_segment(event, &segment_);
  } else if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
    texts_.clear();
    passed_.clear();
    if (field_) decoder_ = std::make_unique<CaptionDecoder>(*field_);
  }
}

void PictureCaptions::choose(std::optional<CaptionField> field) {
  const std::lock_guard lock{mutex_};
  field_ = field;
  texts_.clear();
  decoder_ = field ? std::make_unique<CaptionDecoder>(*field) : nullptr;
  for (const Passed& passed : passed_) decode(passed);
}

std::string PictureCaptions::at(Duration position) const {
  const std::lock_guard lock{mutex_};
  const auto later = std::ranges::upper_bound(texts_, position, {}, &Text::begin);
  return later == texts_.begin() ? "" : std::prev(later)->markup;
}

}  // namespace tributary
