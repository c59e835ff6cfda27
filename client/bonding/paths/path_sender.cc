#include "bonding/paths/path_sender.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstTimeOut = 300ms;
constexpr Duration kFeedbackDelay = 25ms;  // received_packets.cc
// A machine that is busy answers late: two of these must be over before a path is given up.
constexpr Duration kLeastTimeOut = 100ms, kLongestTimeOut = 400ms;
constexpr DataSize kAnyPacket{1500};  // where it matters whether one may leave at all
constexpr double kForget = 1.0 / 256;

}  // namespace

void PathSender::sent(const Sent& packet, TimePoint now) {
  const InFlight before = sent_.in_flight();
  if (window_->holds_back()) delivery_.left_idle(before);
  sent_.sent({packet.sequence, packet.size, now, delivery_.mark(before, now), packet.inner});
  window_->sent(packet.size, before, now);
  last_used_ = now;
}

void PathSender::gets_no_more(bool nothing_waits, TimePoint now) {
  const auto opens_at = window_->opens_at(kAnyPacket, sent_.in_flight(), now);
  if (opens_at && (nothing_waits || *opens_at <= now)) delivery_.left_idle(sent_.in_flight());
}

SentPackets::News PathSender::take_in(const Feedback& feedback, SentTime told_at, TimePoint now) {
  SentPackets::News news = sent_.take_in(feedback, now);
  std::optional<Duration> queue;
  if (news.round_trip) {
    queue = way_there_.queue(feedback.echoed, told_at - feedback.held, now);
    round_trip_.sample(*news.round_trip);
    least_delay_.sample(*news.round_trip, now);
  }
  count_losses(news);
  const bool round_is_over = delivery_.arrived(news.arrived, now);
  if (!news.arrived.empty() || !news.lost.empty()) {
    window_->take_in(
        {news.arrived, news.lost, sent_.in_flight(), queue, least_delay_.value(), delivery_.rate(), round_is_over},
        now);
  }
  return news;
}

std::vector<SentPacket> PathSender::give_up(TimePoint now) {
  window_->timed_out(now);
  delivery_ = {};  // the path may be another one when it comes back
  return sent_.abandon();
}

void PathSender::count_losses(const SentPackets::News& news) {
  for (std::size_t i = 0; i < news.arrived.size() + news.lost.size(); ++i) {
    arrived_lately_ *= 1 - kForget;
    lost_lately_ *= 1 - kForget;
  }
  arrived_lately_ += static_cast<double>(news.arrived.size());
  lost_lately_ += static_cast<double>(news.lost.size());
}

Duration PathSender::time_out() const {
  const auto estimate = round_trip_.time_out();
  return estimate ? std::clamp(*estimate + kFeedbackDelay, kLeastTimeOut, kLongestTimeOut) : kFirstTimeOut;
}

Duration PathSender::overdue(TimePoint now) const {
  const auto oldest = sent_.oldest_sent_at();
  const auto answer = round_trip_.time_out();
  return oldest && answer ? std::max(now - *oldest - *answer - kFeedbackDelay, Duration{}) : Duration{};
}

PathView PathSender::view(DataSize size, TimePoint now) const {
  const double all = arrived_lately_ + lost_lately_;
  return {.id = id_,
          .window = window_->packets(),
          .in_flight = sent_.in_flight(),
          .opens_at = window_->opens_at(size, sent_.in_flight(), now),
          .rate = rates_by_trains_ ? by_train_ : window_->likely_rate(delivery_.rate()),
          .least_delay = least_delay_.value(),
          .overdue = overdue(now),
          .loss = all > 0 ? lost_lately_ / all : 0,
          .last_used = last_used_};
}

}  // namespace tributary::bonding
