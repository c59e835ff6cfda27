#include "playback/stream_news.hh"

#include <utility>

#include "playback/stream_error.hh"
#include "units/overloaded.hh"

namespace tributary {

StreamNews::StreamNews(std::string url, SessionCommands& commands, const SegmentFeed& feed, const LiveOrigin* live,
                       StreamListener& listener, Tell tell)
    : url_{std::move(url)},
      commands_{commands},
      feed_{feed},
      live_{live},
      listener_{listener},
      tell_{std::move(tell)} {}

void StreamNews::on_event(const Event& event, TimePoint /*at*/) {
  if (const auto* failed = std::get_if<event::RequestFailed>(&event)) last_failure_ = failed->reason;
  if (std::holds_alternative<event::RequestDone>(event)) last_failure_.reset();
  if (std::holds_alternative<event::SeekRequested>(event)) commands_.seek_happens();
}

void StreamNews::on_action(const Action& action, TimePoint /*at*/) {
  std::visit(
      Overloaded{
          [&](const action::SkipSegment& a) {
            listener_.skipped({a.segment, a.lag, a.reason, a.missing});
          },
          [&](const action::LeaveOut& a) {
            if (tell_) tell_(a.what + ": " + a.reason);
          },
          [&](const action::AllowPlayout&) { listener_.may_play(feed_.generation()); },
          [&](const action::SetSpeed& a) { listener_.steered(a.speed); },
          [&](const action::AllDelivered&) { listener_.ended(feed_.generation()); },
          [&](const action::Finish& a) {
            if (commands_.closed()) return;
            const bool quiet = live_ != nullptr && live_->went_quiet();
            listener_.failed(quiet ? live_ended(a.reason) : ended_early({url_, a.missing}, a.reason, last_failure_));
          },
          [](const auto&) {},
      },
      action);
}

}  // namespace tributary
