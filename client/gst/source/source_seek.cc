// Seeks and queries of the source element.
#include <algorithm>
#include <utility>

#include "gst/source/source_body.hh"
#include "gst/source/source_messages.hh"

namespace tributary {
namespace {

constexpr double kSlowest = 0.1, kFastest = 8;
/// Longer than any title, and small enough that sums with it do not overflow.
constexpr gint64 kLast = gint64{3600} * 24 * 365 * 10 * GST_SECOND;

/// A seek event that the source can carry out: forward, by time, and flushing.
struct SeekRequest {
  double speed = 1;
  GstSeekFlags flags{};
  std::optional<Duration> position;  // nothing: the present position
};

std::optional<SeekRequest> read_seek(GstEvent* event) {
  SeekRequest request;
  GstFormat format{};
  GstSeekType start_type{}, stop_type{};
  gint64 start = 0, stop = 0;
  gst_event_parse_seek(event, &request.speed, &format, &request.flags, &start_type, &start, &stop_type, &stop);
  if (format != GST_FORMAT_TIME || request.speed < kSlowest || request.speed > kFastest) return std::nullopt;
  if ((request.flags & GST_SEEK_FLAG_FLUSH) == 0 || (request.flags & GST_SEEK_FLAG_SEGMENT) != 0) return std::nullopt;
  if (start_type == GST_SEEK_TYPE_END) return std::nullopt;
  if (start_type == GST_SEEK_TYPE_SET) request.position = Duration{std::clamp<gint64>(start, 0, kLast)};
  return request;
}

}  // namespace

bool SourceBody::seek(GstEvent* event) {
  const guint32 seqnum = gst_event_get_seqnum(event);
  return seeks_.once(seqnum, [&] {
    const auto request = read_seek(event);
    return request && seek_to(request->position, request->flags, request->speed, seqnum);
  });
}

bool SourceBody::seek_to(std::optional<Duration> wanted, GstSeekFlags flags, double speed, guint32 seqnum) {
  Duration position{};
  std::optional<std::size_t> sound;
  {
    const Lock lock{mutex_};
    if (!feed_ || thread_.ending()) return false;
    position = wanted.value_or(playout_.position());
    if ((flags & GST_SEEK_FLAG_KEY_UNIT) != 0 && (flags & GST_SEEK_FLAG_ACCURATE) == 0)
      position = news_.segment_start(position);
    sound = std::exchange(next_sound_, std::nullopt);
    playout_.begin_seek();
  }
  // The outputs cannot change meanwhile: the gate is closed.
  for (const SegmentDelivery::Output& track : playout_.outputs()) track.output->begin_flush(seqnum);
  post_flushed(element_, seqnum);
  const std::uint32_t generation = sound ? feed_->choose_sound(*sound, position) : feed_->seek(position);
  {
    const Lock lock{mutex_};
    playout_.go_to(generation, position, speed, seqnum);
  }
  for (const SegmentDelivery::Output& track : playout_.outputs()) track.output->end_flush(seqnum);
  const Lock lock{mutex_};
  playout_.end_seek();
  thread_.wake();
  return true;
}

Duration SourceBody::segment_start(Duration position) const { return news_.segment_start(position); }

bool SourceBody::upstream_event(GstPad* pad, GstEvent* event) {
  const GstHandle<GstEvent> owned{event};
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEEK:
      return seek(event);
    case GST_EVENT_QOS:
    case GST_EVENT_LATENCY:
    case GST_EVENT_RECONFIGURE:
      return true;
    default:
      return gst_pad_event_default(pad, GST_OBJECT(element_), gst_event_ref(event)) != FALSE;
  }
}

bool SourceBody::query(GstPad* pad, GstQuery* query) {
  return answer(query) || gst_pad_query_default(pad, GST_OBJECT(element_), query) != FALSE;
}

bool SourceBody::answer(GstQuery* query) {
  GstFormat format = GST_FORMAT_TIME;
  const std::optional<Duration> available = news_.available();
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_DURATION:
      gst_query_parse_duration(query, &format, nullptr);
      if (format != GST_FORMAT_TIME || !available || news_.info()->live) return false;
      gst_query_set_duration(query, format, available->count());
      return true;
    case GST_QUERY_POSITION:
      gst_query_parse_position(query, &format, nullptr);
      if (format != GST_FORMAT_TIME) return false;
      gst_query_set_position(query, format, position().count());
      return true;
    case GST_QUERY_SEEKING:
      gst_query_parse_seeking(query, &format, nullptr, nullptr, nullptr);
      if (format != GST_FORMAT_TIME || !available) return false;
      gst_query_set_seeking(query, format, TRUE, 0, news_.info()->live ? -1 : available->count());
      return true;
    case GST_QUERY_SCHEDULING:
      gst_query_set_scheduling(query, GST_SCHEDULING_FLAG_SEQUENTIAL, 1, -1, 0);
      gst_query_add_scheduling_mode(query, GST_PAD_MODE_PUSH);
      return true;
    case GST_QUERY_LATENCY:
      gst_query_set_latency(query, FALSE, 0, GST_CLOCK_TIME_NONE);
      return true;
    case GST_QUERY_URI:
      gst_query_set_uri(query, ("multilink+" + settings_.url).c_str());
      return true;
    default:
      return false;
  }
}

}  // namespace tributary
