#include "simulation/simulated_connection.hh"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kSegmentBytes = 1448;  // MTU 1500 less IPv4, TCP and the timestamp option
constexpr std::int64_t kFrameOverhead = 66;   // Ethernet, IPv4, TCP with the timestamp option

}  // namespace

SimulatedConnection::SimulatedConnection(const LinkScenario& scenario, Bottleneck& bottleneck, TimePoint now)
    : scenario_{scenario},
      bottleneck_{bottleneck},
      now_{now},
      established_at_{now + scenario.at(now).rtt},
      smoothed_round_trip_{scenario.at(now).rtt} {}

void SimulatedConnection::ask(DataSize request, DataSize answer, TimePoint now) {
  const LinkCondition& condition = scenario_.at(now);
  Duration on_the_way = condition.rtt / 2;
  if (condition.rate.bits_per_second() > 0) on_the_way += (request + DataSize{kFrameOverhead}) / condition.rate;
  schedule(requests_, std::max(now, established_at_) + on_the_way, answer.bytes());
}

std::optional<TimePoint> SimulatedConnection::next_deadline() const {
  const TimePoint earliest = std::min(
      {next_of(requests_).at, next_of(data_).at, next_of(acknowledgements_).at, timer_.value_or(TimePoint::max())});
  if (earliest == TimePoint::max()) return std::nullopt;
  return earliest;
}

DataSize SimulatedConnection::advance(TimePoint now) {
  const std::int64_t before = received_;
  for (;;) {
    Happenings* next = &acknowledgements_;
    if (next_of(data_).before(next_of(*next))) next = &data_;
    if (next_of(requests_).before(next_of(*next))) next = &requests_;
    const auto [at, order, value] = next_of(*next);
    if (timer_ && *timer_ <= now && *timer_ < at) {  // the timer fires after all else of the same moment
      now_ = *timer_;
      timer_fires();
      continue;
    }
    if (at > now) break;
    next->pop_front();
    now_ = at;
    if (next == &acknowledgements_) {
      acknowledgement_arrives(value);
    } else if (next == &data_) {
      data_arrives(value);
    } else {
      request_arrives(value);
    }
  }
  now_ = now;
  return DataSize{received_ - before};
}

void SimulatedConnection::schedule_before_others(Happenings& happenings, const Happening& happening) {
  const auto later = std::ranges::upper_bound(happenings, happening.at, {}, &Happening::at);
  happenings.insert(static_cast<std::size_t>(later - happenings.begin()), happening);
}

void SimulatedConnection::request_arrives(std::int64_t answer) {
  if (idle_since_ && in_flight_ == 0) window_.idle_ended(now_ - *idle_since_, retransmission_timeout());
  written_ += answer;
  send_what_the_window_allows();
}

void SimulatedConnection::data_arrives(std::int64_t number) {
  schedule(acknowledgements_, now_ + scenario_.at(now_).rtt / 2, number);
  if (number < first_) return;
  const Transmission& t = transmission(number);
  if (t.end <= received_) return;
  if (t.begin > received_) {
    keep_for_later({t.begin, t.end});
    return;
  }
  received_ = t.end;
  while (!out_of_order_.empty() && out_of_order_.front().begin <= received_) {
    received_ = std::max(received_, out_of_order_.front().end);
    out_of_order_.pop_front();
  }
}

void SimulatedConnection::keep_for_later(Bytes bytes) {
  if (!out_of_order_.empty() && out_of_order_.back().end == bytes.begin) {
    out_of_order_.back().end = bytes.end;
  } else {
    const auto after = std::ranges::upper_bound(out_of_order_, bytes.begin, {}, &Bytes::begin);
    out_of_order_.insert(static_cast<std::size_t>(after - out_of_order_.begin()), bytes);
  }
}

void SimulatedConnection::acknowledgement_arrives(std::int64_t number) {
  if (number < first_ || transmission(number).acknowledged) return;
  Transmission& t = transmission(number);
  t.acknowledged = true;
  if (!t.given_up) --in_flight_;
  const Duration round_trip = now_ - t.sent;
  smoothed_round_trip_ = (smoothed_round_trip_ * 7 + round_trip) / 8;
  least_round_trip_ = least_round_trip_ ? std::min(*least_round_trip_, round_trip) : round_trip;
  probed_ = false;
  window_.acknowledged(now_, round_trip, static_cast<double>(peak_));
  find_losses(number);
  while (!transmissions_.empty() && (transmissions_.front().acknowledged || transmissions_.front().given_up)) {
    transmissions_.pop_front();
    ++first_;
  }
  send_what_the_window_allows();
}

/// A packet is lost if one that was sent well after it has arrived (RACK, RFC 8985 section 6.2). "Well after" is a
/// quarter of the least round trip, or three packets.
void SimulatedConnection::find_losses(std::int64_t acknowledged) {
  const TimePoint sent = transmission(acknowledged).sent;
  for (std::int64_t number = first_; number < acknowledged; ++number) {
    const Transmission& t = transmission(number);
    if (t.acknowledged || t.given_up) continue;
    if (acknowledged - number < 3 && sent - t.sent < *least_round_trip_ / 4) return;
    if (number > recovery_until_) {
      recovery_until_ = first_ + static_cast<std::int64_t>(transmissions_.size()) - 1;
      window_.lost();
    }
    give_up(number);
  }
}

/// Nothing has been acknowledged for a while. The first time, sends the last packet again: its acknowledgement tells
/// which packets are missing (RFC 8985 section 7). After that, sends everything again.
void SimulatedConnection::timer_fires() {
  timer_.reset();
  if (in_flight_ == 0) return;
  if (!probed_) {
    probed_ = true;
    const Transmission last = transmissions_.back();
    transmit(last.begin, last.end);
    timer_ = now_ + retransmission_timeout();
    return;
  }
  for (std::int64_t number = first_; number < first_ + static_cast<std::int64_t>(transmissions_.size()); ++number) {
    if (!transmission(number).acknowledged && !transmission(number).given_up) give_up(number);
  }
  window_.timed_out();
  send_what_the_window_allows();
}

void SimulatedConnection::give_up(std::int64_t number) {
  Transmission& t = transmission(number);
  t.given_up = true;
  --in_flight_;
  to_repeat_.push_back({t.begin, t.end});
}

void SimulatedConnection::send_what_the_window_allows() {
  idle_since_.reset();
  while (static_cast<double>(in_flight_) < window_.packets()) {
    if (!to_repeat_.empty()) {
      const auto [begin, end] = to_repeat_.front();
      to_repeat_.pop_front();
      transmit(begin, end);
    } else if (next_byte_ < written_) {
      const std::int64_t end = std::min(next_byte_ + kSegmentBytes, written_);
      transmit(next_byte_, end);
      next_byte_ = end;
    } else {
      break;
    }
  }
  if (in_flight_ == 0) {
    idle_since_ = now_;
    peak_ = 0;
    timer_.reset();
  } else {
    const Duration probe = std::max<Duration>(2 * smoothed_round_trip_, 10ms);
    timer_ = now_ + (probed_ ? retransmission_timeout() : probe);
  }
}

void SimulatedConnection::transmit(std::int64_t begin, std::int64_t end) {
  const std::int64_t number = first_ + static_cast<std::int64_t>(transmissions_.size());
  transmissions_.push_back({begin, end, now_});
  peak_ = std::max(peak_, ++in_flight_);
  const DataSize frame{end - begin + kFrameOverhead};
  if (const auto arrival = bottleneck_.send(frame, now_)) schedule(data_, *arrival, number);
}

Duration SimulatedConnection::retransmission_timeout() const {
  return std::max<Duration>(200ms, 2 * smoothed_round_trip_);
}

}  // namespace tributary
