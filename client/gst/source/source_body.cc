#include "gst/source/source_body.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gst/gst_handles.hh"
#include "gst/source/source_messages.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kReportEvery = 500ms;
constexpr Duration kWaitAtMost = 200ms;  // longest wait while playout runs

/// What the first segments do not hold, the title is taken to lack.
constexpr std::size_t kEnoughSegments = 3;

/// A hash of the address, the same for the same address. Logs show it, and may not show an address' secrets.
std::string id_of(const std::string& url) {
  return GlibString{g_compute_checksum_for_string(G_CHECKSUM_SHA256, url.c_str(), -1)}.get();
}

/// Calls `act` with the lock given back meanwhile.
template <typename Act>
void without(std::unique_lock<std::mutex>& lock, Act act) {
  lock.unlock();
  act();
  lock.lock();
}

}  // namespace

void SourceBody::start() {
  const std::lock_guard seeks{seeks_};
  {
    const Lock lock{mutex_};
    stopping_ = seeking_ = exposed_ = end_delivered_ = false;
    generation_ = 0;
    news_.restart(settings_.listener);
    streams_.reset();
    playhead_.clock() = PlayoutClock{element_};
    buffering_ = posted_buffering_ = true;
    last_seek_ = GST_SEQNUM_INVALID;
    const bool from_start = settings_.start <= Duration{};
    delivery_.restart(from_start ? std::nullopt : std::optional{settings_.start}, settings_.speed, GST_SEQNUM_INVALID);
  }
  post_buffering(element_, 0);
  std::shared_ptr<MediaFeed> feed = settings_.open(settings_.url, settings_.stream, news_);
  const std::uint32_t generation = settings_.start > Duration{} ? feed->seek(settings_.start) : 0;
  const Lock lock{mutex_};
  feed_ = std::move(feed);
  generation_ = generation;
  thread_ = std::thread{[this] { run(); }};
}

void SourceBody::unblock() {
  const Lock lock{mutex_};
  stopping_ = true;
  changed_.notify_all();
  for (const SegmentDelivery::Output& track : delivery_.outputs()) track.output->stop();
}

void SourceBody::stop() {
  if (thread_.joinable()) thread_.join();
  const std::lock_guard seeks{seeks_};
  std::shared_ptr<MediaFeed> feed;
  {
    const Lock lock{mutex_};
    feed = std::move(feed_);
    feed_ = nullptr;
  }
  feed.reset();  // without the lock: ends the feed's thread, which may wait for it
  for (const SegmentDelivery::Output& track : delivery_.outputs()) {
    gst_pad_set_active(track.output->pad(), FALSE);  // in case it was added after GStreamer deactivated the other pads
    gst_element_remove_pad(element_, track.output->pad());
  }
  const Lock lock{mutex_};
  delivery_.close();
  news_.drop_segments();
}

void SourceBody::playout_began() {
  const Lock lock{mutex_};
  playhead_.clock().began();
  next_report_ = {};
  changed_.notify_all();
}

void SourceBody::playout_paused() {
  const Lock lock{mutex_};
  playhead_.clock().paused();
  next_report_ = {};
  changed_.notify_all();
}

void SourceBody::run() {
  Lock lock{mutex_};
  while (!stopping_) {
    if (!advance(lock)) wait(lock);
  }
}

bool SourceBody::advance(Lock& lock) {
  if (news_.info() && !streams_ && learn_streams(lock)) return true;
  if (streams_ && !streams_->streams().empty() && !exposed_ && !settings_.hold_pads) {
    without(lock, [&] { expose(); });
    return true;
  }
  if (seeking_) return false;
  if (exposed_ && news_.has_segment()) {
    const MediaSegment segment = news_.take_segment();
    if (segment.generation == generation_) {
      delivery_.deliver(segment);
    } else {
      delivery_.remember_init(segment);
    }
    const std::vector<std::string> complaints = delivery_.take_complaints();
    if (!complaints.empty()) without(lock, [&] { post_complaints(element_, complaints); });
    return true;
  }
  // Segments that have come are played before the failure is posted.
  if (news_.has_failed() && (buffering_ || !playhead_.runs() || is_low())) {
    without(lock, [&, failure = news_.take_failure()] { post_failure(element_, failure); });
    return true;
  }
  if (exposed_ && news_.has_ended(generation_) && !end_delivered_) {
    delivery_.end();
    end_delivered_ = true;
    return true;
  }
  if (buffering_ && can_play()) set_buffering(false);
  if (!buffering_ && is_low()) set_buffering(true);
  if (buffering_ != posted_buffering_) {
    posted_buffering_ = buffering_;
    without(lock, [&, percent = buffering_ ? 0 : 100] { post_buffering(element_, percent); });
    return true;
  }
  if (Clock::now() < next_report_) return false;
  report_playout();
  return true;
}

void SourceBody::wait(Lock& lock) {
  auto until = std::max(next_report_, Clock::now() + kWaitAtMost);
  if (playhead_.runs() && !buffering_ && delivery_.delivered())
    until = std::min(until, Clock::now() + std::clamp<Duration>(playhead_.left() - settings_.low, 5ms, kWaitAtMost));
  changed_.wait_until(lock, until);
}

bool SourceBody::is_low() const {
  return playhead_.runs() && !end_delivered_ && delivery_.delivered() && playhead_.left() < settings_.low;
}

bool SourceBody::can_play() const {
  return exposed_ && (end_delivered_ || (news_.is_playable(generation_) && delivery_.delivered()));
}

void SourceBody::set_buffering(bool buffering) {
  buffering_ = buffering;
  if (buffering) news_.withdraw_permission();
  report_playout();
}

void SourceBody::report_playout() {
  using State = PlayoutReport::State;
  next_report_ = Clock::now() + kReportEvery;
  const State state = buffering_ ? State::kStalled : playhead_.runs() ? State::kPlaying : State::kPaused;
  feed_->report({generation_, state, playhead_.position(), playhead_.speed()});
}

bool SourceBody::learn_streams(Lock& lock) {
  std::string fault;
  std::optional<TitleContents> contents = stated_contents(*news_.info());
  if (!contents) {
    const bool enough = news_.segments().size() >= kEnoughSegments || news_.has_ended(generation_);
    if (!news_.has_segment() && !enough) return false;
    FoundContents found = contents_of(news_.segments(), *news_.info());
    if (!found.complete && !enough) return false;
    contents = found.ladder_is_readable ? std::move(found.contents) : TitleContents{};
    fault = std::move(found.fault);
  }
  streams_ = std::make_shared<const TitleStreams>(id_of(settings_.url), *contents);
  without(lock, [&, streams = streams_] {
    if (!streams->streams().empty()) {
      gst_element_post_message(element_,
                               gst_message_new_stream_collection(GST_OBJECT(element_), streams->collection()));
      return;
    }
    post_unplayable(
        element_,
        fault.empty() ? sentence("There is neither picture nor sound in this presentation.")
                      : sentence("The picture cannot be decoded."),
        fmt::format("{}: {}", redacted(settings_.url), fault.empty() ? "no track of video or audio" : fault));
  });
  return true;
}

void SourceBody::expose() {
  std::shared_ptr<const TitleStreams> streams;
  std::optional<StreamInfo> info;
  {
    const Lock lock{mutex_};
    if (exposed_ || !streams_) return;
    streams = streams_;
    info = news_.info();
  }
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
  const std::lock_guard seeks{seeks_};
  const Lock lock{mutex_};
  delivery_.open(*info);
  for (SegmentDelivery::Output& track : outputs) delivery_.add_output(std::move(track));
  exposed_ = true;
  changed_.notify_all();
}

bool SourceBody::any_linked() {
  const Lock lock{mutex_};
  return std::any_of(delivery_.outputs().begin(), delivery_.outputs().end(),
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
}

StreamStatus SourceBody::status() const {
  const auto feed = this->feed();
  return feed ? feed->status() : StreamStatus{};
}

Duration SourceBody::position() const {
  const Lock lock{mutex_};
  return playhead_.position();
}

std::optional<Duration> SourceBody::media_ahead(Duration position) const {
  const Lock lock{mutex_};
  return delivery_.media_ahead(position);
}

std::optional<QualityIndex> SourceBody::quality() const {
  const Lock lock{mutex_};
  return delivery_.quality_at(playhead_.position());
}

std::shared_ptr<MediaFeed> SourceBody::feed() const {
  const Lock lock{mutex_};
  return feed_;
}

}  // namespace tributary
