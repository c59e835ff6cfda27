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
  if (condition.rate.bits_per_second() > 0)
    on_the_way += (request + DataSize{kFrameOverhead}) / condition.rate;
  schedule(requests_, std::max(now, established_at_) + on_the_way, answer.bytes());
}

std::optional<TimePoint> SimulatedConnection::next_deadline() const {
  std::optional<TimePoint> earliest = timer_;
  for (const Happenings* happenings : {&requests_, &data_, &acknowledgements_}) {
    if (happenings->empty()) continue;
    const TimePoint at = happenings->front().at;
    if (!earliest || at < *earliest) earliest = at;
  }
  return earliest;
}

DataSize SimulatedConnection::advance(TimePoint now) {
  const std::int64_t before = received_;
  while (happens_until(now)) {
  }
  now_ = now;
  return DataSize{received_ - before};
}

/// Lets the next thing happen. The timer fires after everything else of its moment.
bool SimulatedConnection::happens_until(TimePoint time) {
  Happenings* next = nullptr;
  for (Happenings* happenings : {&requests_, &data_, &acknowledgements_}) {
    if (happenings->empty()) continue;
    if (next == nullptr || happenings->front().before(next->front())) next = happenings;
  }
  if (timer_ && *timer_ <= time && (next == nullptr || *timer_ < next->front().at)) {
    now_ = *timer_;
    timer_fires();
    return true;
  }
  if (next == nullptr || next->front().at > time) return false;
  const Happening happening = next->front();
  next->pop_front();
  now_ = happening.at;
  if (next == &requests_) request_arrives(happening.value);
  if (next == &data_) data_arrives(happening.value);
  if (next == &acknowledgements_) acknowledgement_arrives(happening.value);
  return true;
}

void SimulatedConnection::schedule(Happenings& happenings, TimePoint at, std::int64_t value) {
  if (happenings.empty() || happenings.back().at <= at) {
    happenings.emplace_back(at, scheduled_++, value);
  } else {
    const auto later = std::ranges::upper_bound(happenings, at, {}, &Happening::at);
    happenings.insert(later, {at, scheduled_++, value});
  }
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
    out_of_order_[t.begin] = std::max(out_of_order_[t.begin], t.end);
    return;
  }
  received_ = t.end;
  while (!out_of_order_.empty() && out_of_order_.begin()->first <= received_) {
    received_ = std::max(received_, out_of_order_.begin()->second);
    out_of_order_.erase(out_of_order_.begin());
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
  while (!transmissions_.empty() &&
         (transmissions_.front().acknowledged || transmissions_.front().given_up)) {
    transmissions_.pop_front();
    ++first_;
  }
  send_what_the_window_allows();
}

/// What was sent well before something that has arrived, and has not arrived, is lost (RACK, RFC 8985 section 6.2: well
/// before is a quarter of the least round trip, or three packets).
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

/// Nothing has been acknowledged for a while: first the last packet is sent again, which tells what is missing (RFC 8985
/// section 7), then everything.
void SimulatedConnection::timer_fires() {
  timer_.reset();
  if (in_flight_ == 0) return;
  if (!probed_) {
    probed_ = true;
    const Transmission last = transmissions_.back();
    transmit(last.begin, last.end);
    return;
  }
  for (std::int64_t number = first_; number < first_ + static_cast<std::int64_t>(transmissions_.size());
       ++number) {
    if (!transmission(number).acknowledged && !transmission(number).given_up) give_up(number);
  }
  window_.timed_out();
  send_what_the_window_allows();
}

void SimulatedConnection::give_up(std::int64_t number) {
  Transmission& t = transmission(number);
  t.given_up = true;
  --in_flight_;
  to_repeat_.emplace_back(t.begin, t.end);
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
  timer_ = now_ + (probed_ ? retransmission_timeout() : Duration{1s});
}

Duration SimulatedConnection::retransmission_timeout() const {
  return std::max<Duration>(200ms, 2 * smoothed_round_trip_);
}

}  // namespace tributary
