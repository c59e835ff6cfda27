#include "gst/source/source_body.hh"

#include <algorithm>
#include <utility>

#include "gst/source/source_messages.hh"

namespace tributary {

void SourceBody::start() {
  const SeekGate::Closed no_seek = seeks_.close();
  seeks_.forget();
  news_.restart(settings_.listener);
  {
    const Lock lock{mutex_};
    playout_.restart(settings_.url, settings_.start, settings_.speed);
    playout_.set_low(settings_.low);
  }
  post_buffering(element_, 0);
  std::shared_ptr<MediaFeed> feed = settings_.open(settings_.url, settings_.stream, news_);
  const std::uint32_t generation = settings_.start > Duration{} ? feed->seek(settings_.start) : 0;
  const Lock lock{mutex_};
  feed_ = std::move(feed);
  playout_.set_generation(generation);
  thread_.start([this] { return step(); });
}

void SourceBody::unblock() {
  thread_.end();
  const Lock lock{mutex_};
  for (const SegmentDelivery::Output& track : playout_.outputs()) track.output->stop();
}

void SourceBody::stop() {
  thread_.join();
  const SeekGate::Closed no_seek = seeks_.close();
  std::shared_ptr<MediaFeed> feed;
  {
    const Lock lock{mutex_};
    feed = std::exchange(feed_, nullptr);
  }
  feed.reset();  // without the lock: waits for the feed's thread
  for (const SegmentDelivery::Output& track : playout_.outputs()) {
    gst_pad_set_active(track.output->pad(), FALSE);  // in case it was added after GStreamer deactivated the other pads
    gst_element_remove_pad(element_, track.output->pad());
  }
  const Lock lock{mutex_};
  playout_.close();
  news_.drop_segments();
}

void SourceBody::playout_began() {
  {
    const Lock lock{mutex_};
    playout_.began();
  }
  thread_.wake();
}

void SourceBody::playout_paused() {
  {
    const Lock lock{mutex_};
    playout_.paused();
  }
  thread_.wake();
}

std::optional<SteppingThread::Clock::time_point> SourceBody::step() {
  Lock lock{mutex_};
  const auto hidden = playout_.hidden_streams();
  if (hidden && !hidden->streams().empty() && !settings_.hold_pads) {
    lock.unlock();
    expose();
    return std::nullopt;
  }
  const auto done = playout_.advance(*feed_);
  if (!done) return playout_.next_look();
  lock.unlock();
  if (*done) (*done)();
  return std::nullopt;
}

void SourceBody::expose() {
  std::shared_ptr<const TitleStreams> streams;
  {
    const Lock lock{mutex_};
    streams = playout_.hidden_streams();
  }
  if (!streams) return;
  const guint group = gst_util_group_id_next();
  std::vector<SegmentDelivery::Output> outputs;
  TrackOutputOwner& owner = *this;
  for (const TitleStreams::Stream& found : streams->streams()) {
    GstHandle<GstStream> stream{GST_STREAM(gst_object_ref(found.stream.get()))};
    outputs.push_back(
        {found.kind,
         std::make_unique<TrackOutput>(element_, owner, found.pad, std::move(stream), streams->collection(), group),
         streams->caps_of(found)});
  }
  for (SegmentDelivery::Output& track : outputs) {
    gst_pad_set_active(track.output->pad(), TRUE);
    gst_element_add_pad(element_, track.output->pad());
  }
  gst_element_no_more_pads(element_);
  const SeekGate::Closed no_seek = seeks_.close();
  const Lock lock{mutex_};
  playout_.expose(std::move(outputs));
  thread_.wake();
}

bool SourceBody::any_linked() {
  const Lock lock{mutex_};
  return std::any_of(playout_.outputs().begin(), playout_.outputs().end(),
                     [](const SegmentDelivery::Output& track) { return track.output->linked(); });
}

void SourceBody::choose_quality(const QualityWish& wish) {
  if (const auto feed = this->feed()) feed->choose_quality(wish);
}

void SourceBody::choose_sound(std::size_t track) {
  const Lock lock{mutex_};
  next_sound_ = track;
}

void SourceBody::use_link(const std::string& name, LinkUse use) {
  if (const auto feed = this->feed()) feed->use_link(name, use);
}

void SourceBody::set_low(Duration low) {
  const Lock lock{mutex_};
  settings_.low = low;
  playout_.set_low(low);
}

StreamStatus SourceBody::status() const {
  const auto feed = this->feed();
  return feed ? feed->status() : StreamStatus{};
}

Duration SourceBody::position() const {
  const Lock lock{mutex_};
  return playout_.position();
}

std::optional<Duration> SourceBody::media_ahead(Duration position) const {
  const Lock lock{mutex_};
  return playout_.media_ahead(position);
}

std::optional<QualityIndex> SourceBody::quality() const {
  const Lock lock{mutex_};
  return playout_.quality();
}

std::shared_ptr<MediaFeed> SourceBody::feed() const {
  const Lock lock{mutex_};
  return feed_;
}

}  // namespace tributary
