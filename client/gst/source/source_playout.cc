#include "gst/source/source_playout.hh"

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

}  // namespace

void SourcePlayout::restart(const std::string& url, Duration start, double speed) {
  url_ = url;
  seeking_ = exposed_ = end_delivered_ = false;
  generation_ = 0;
  streams_.reset();
  playhead_.clock() = PlayoutClock{element_};
  buffering_ = posted_buffering_ = true;
  delivery_.restart(start <= Duration{} ? std::nullopt : std::optional{start}, speed, GST_SEQNUM_INVALID);
}

std::optional<SourcePlayout::Afterwards> SourcePlayout::advance(MediaFeed& feed) {
  const FeedNews::Now news = news_.now(generation_);
  if (news.opened && !streams_) {
    if (auto told = learn_streams(news)) return told;
  }
  if (seeking_) return std::nullopt;
  if (exposed_ && news.segment) return deliver(news_.take_segment());
  // Segments that have come are played before the failure is posted.
  if (news.failed && (buffering_ || !playhead_.runs() || is_low()))
    return [element = element_, failure = news_.take_failure()] { post_failure(element, failure); };
  if (exposed_ && news.ended && !end_delivered_) {
    delivery_.end();
    end_delivered_ = true;
    return Afterwards{};
  }
  if (buffering_ && can_play(news)) set_buffering(false, feed);
  if (!buffering_ && is_low()) set_buffering(true, feed);
  if (buffering_ != posted_buffering_) {
    posted_buffering_ = buffering_;
    return [element = element_, percent = buffering_ ? 0 : 100] { post_buffering(element, percent); };
  }
  if (Clock::now() < next_report_) return std::nullopt;
  report(feed);
  return Afterwards{};
}

SourcePlayout::Clock::time_point SourcePlayout::next_look() const {
  auto until = std::max(next_report_, Clock::now() + kWaitAtMost);
  if (playhead_.runs() && !buffering_ && delivery_.delivered())
    until = std::min(until, Clock::now() + std::clamp<Duration>(playhead_.left() - low_, 5ms, kWaitAtMost));
  return until;
}

SourcePlayout::Afterwards SourcePlayout::deliver(const MediaSegment& segment) {
  if (segment.generation == generation_) {
    delivery_.deliver(segment);
  } else {
    delivery_.remember_init(segment);
  }
  std::vector<std::string> complaints = delivery_.take_complaints();
  if (complaints.empty()) return {};
  return [element = element_, complaints = std::move(complaints)] { post_complaints(element, complaints); };
}

bool SourcePlayout::is_low() const {
  return playhead_.runs() && !end_delivered_ && delivery_.delivered() && playhead_.left() < low_;
}

bool SourcePlayout::can_play(const FeedNews::Now& news) const {
  return exposed_ && (end_delivered_ || (news.playable && delivery_.delivered()));
}

void SourcePlayout::set_buffering(bool buffering, MediaFeed& feed) {
  buffering_ = buffering;
  if (buffering) news_.withdraw_permission();
  report(feed);
}

void SourcePlayout::report(MediaFeed& feed) {
  using State = PlayoutReport::State;
  next_report_ = Clock::now() + kReportEvery;
  const State state = buffering_ ? State::kStalled : playhead_.runs() ? State::kPlaying : State::kPaused;
  feed.report({generation_, state, playhead_.position(), playhead_.speed()});
}

std::optional<SourcePlayout::Afterwards> SourcePlayout::learn_streams(const FeedNews::Now& news) {
  std::string fault;
  const std::shared_ptr<const StreamInfo> info = news_.info();
  std::optional<TitleContents> contents = stated_contents(*info);
  if (!contents) {
    const std::deque<MediaSegment> segments = news_.segments();
    const bool enough = segments.size() >= kEnoughSegments || news.ended;
    if (segments.empty() && !enough) return std::nullopt;
    FoundContents found = contents_of(segments, *info);
    if (!found.complete && !enough) return std::nullopt;
    contents = found.ladder_is_readable ? std::move(found.contents) : TitleContents{};
    fault = std::move(found.fault);
  }
  streams_ = std::make_shared<const TitleStreams>(id_of(url_), *contents);
  return announcement(fault);
}

SourcePlayout::Afterwards SourcePlayout::announcement(const std::string& fault) const {
  return [element = element_, url = url_, streams = streams_, fault] {
    if (!streams->streams().empty()) {
      gst_element_post_message(element, gst_message_new_stream_collection(GST_OBJECT(element), streams->collection()));
      return;
    }
    post_unplayable(element,
                    fault.empty() ? sentence("There is neither picture nor sound in this presentation.")
                                  : sentence("The picture cannot be decoded."),
                    fmt::format("{}: {}", redacted(url), fault.empty() ? "no track of video or audio" : fault));
  };
}

void SourcePlayout::expose(std::vector<SegmentDelivery::Output> outputs) {
  delivery_.open(*news_.info());
  for (SegmentDelivery::Output& track : outputs) delivery_.add_output(std::move(track));
  exposed_ = true;
}

void SourcePlayout::go_to(std::uint32_t generation, Duration position, double speed, guint32 seqnum) {
  generation_ = generation;
  end_delivered_ = false;
  playhead_.clock().flushed();
  delivery_.restart(position, speed, seqnum);
  buffering_ = !can_play(news_.now(generation));
}

void SourcePlayout::end_seek() {
  seeking_ = false;
  next_report_ = {};
}

void SourcePlayout::began() {
  playhead_.clock().began();
  next_report_ = {};
}

void SourcePlayout::paused() {
  playhead_.clock().paused();
  next_report_ = {};
}

}  // namespace tributary
