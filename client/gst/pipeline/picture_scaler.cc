#include "gst/pipeline/picture_scaler.hh"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gst/pipeline/decoder_search.hh"

namespace tributary {

PictureSize fitted(const GstVideoInfo& picture, PictureSize box) {
  const double width = static_cast<double>(GST_VIDEO_INFO_WIDTH(&picture)) * GST_VIDEO_INFO_PAR_N(&picture) /
                       GST_VIDEO_INFO_PAR_D(&picture);
  const double height = GST_VIDEO_INFO_HEIGHT(&picture);
  const double scale = std::min(box.width / width, box.height / height);
  const auto pixels = [&](double length) { return std::max(static_cast<int>(std::lround(length * scale)), 1); };
  return {pixels(width), pixels(height)};
}

PictureScaler::PictureScaler(int threads) : scale_{make_element("videoscale")}, filter_{make_element("capsfilter")} {
  g_object_set(scale_, "n-threads", static_cast<guint>(threads), "add-borders", FALSE, nullptr);
  const GstHandle<GstPad> input{gst_element_get_static_pad(scale_, "sink")};
  gst_pad_add_probe(input.get(),
                    static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                                 GST_PAD_PROBE_TYPE_EVENT_FLUSH),
                    &PictureScaler::on_input, this, nullptr);
}

void PictureScaler::fit(PictureSize box) {
  const std::lock_guard lock{mutex_};
  if (std::exchange(box_, box) != box) choose_size();
}

GstStructure* PictureScaler::whole() {
  const std::lock_guard lock{mutex_};
  if (box_ == PictureSize{} || !last_) return nullptr;
  const GstHandle<GstSample> sample{gst_sample_new(last_.get(), caps_.get(), nullptr, nullptr)};
  return gst_structure_new("frame", "whole", GST_TYPE_SAMPLE, sample.get(), nullptr);
}

GstPadProbeReturn PictureScaler::on_input(GstPad* /*pad*/, GstPadProbeInfo* info, gpointer self) {
  auto& scaler = *static_cast<PictureScaler*>(self);
  const std::lock_guard lock{scaler.mutex_};
  if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
    scaler.last_.reset(gst_buffer_ref(GST_PAD_PROBE_INFO_BUFFER(info)));
    return GST_PAD_PROBE_OK;
  }
  GstEvent* const event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) scaler.last_.reset();
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
    GstCaps* caps = nullptr;
    gst_event_parse_caps(event, &caps);
    scaler.caps_.reset(gst_caps_ref(caps));
    scaler.choose_size();
  }
  return GST_PAD_PROBE_OK;
}

/// The caller holds mutex_.
void PictureScaler::choose_size() {
  GstVideoInfo picture;
  GstHandle<GstCaps> wanted{gst_caps_new_any()};
  if (box_ != PictureSize{} && caps_ && gst_video_info_from_caps(&picture, caps_.get()) != FALSE) {
    const PictureSize size = fitted(picture, box_);
    wanted.reset(gst_caps_new_simple("video/x-raw", "width", G_TYPE_INT, size.width, "height", G_TYPE_INT, size.height,
                                     "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, nullptr));
  }
  g_object_set(filter_, "caps", wanted.get(), nullptr);
}

}  // namespace tributary
