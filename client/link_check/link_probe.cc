#include "link_check/link_probe.hh"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>

#include "links/interfaces/link_details.hh"
#include "transport/connections/address_lookup.hh"
#include "transport/connections/curl_connection.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/documents/object_fetch.hh"
#include "transport/pipelined_transport.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using namespace transport;

constexpr Duration kPatience = 10s;
constexpr Duration kSampleFor = 4s, kSingleBytesFor = 10s;
// TCP begins with few packets for each round trip: below this, and within less than that, only its beginning is seen.
constexpr DataSize kLeastSample{100'000};
constexpr Duration kLeastTime = 1s;
constexpr std::uint32_t kPieces = 4;      // into which the sample is cut, all asked for at once
constexpr std::uint32_t kAtOnce = 8;      // single bytes
constexpr std::uint32_t kRequests = 128;  // single bytes in all

class Clock {
 public:
  TimePoint now() const { return TimePoint{std::chrono::steady_clock::now() - start_}; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct ProbeError {
  FailureReason reason{};
  std::string text;
};

/// Requests over one link, on one connection to the origin after the other.
class Conversation {
 public:
  Conversation(const FileLocation& object, const LinkRules& rules)
      : object_{object},
        transport_{[this, rules, addresses = resolve(object.origin)] {
                     ++connections_;
                     return std::make_unique<CurlConnection>(loop_, object_.origin, addresses, rules);
                   },
                   object.origin.authority(),
                   {}} {}

  void ask(ByteRange range) {
    const RequestId id{++last_};
    open_.insert(id);
    transport_.submit({id, object_.target, range, {}}, clock_.now());
  }
  /// Waits until all requests are answered. False if that takes longer than `patience`. Throws ProbeError.
  bool finish(Duration patience) {
    const TimePoint end = clock_.now() + patience;
    while (!open_.empty()) {
      take_events();
      if (connections_ > 1 && !closed_after_) closed_after_ = done_;
      if (open_.empty()) break;
      const TimePoint now = clock_.now();
      if (now >= end) return false;
      loop_.wait(std::min(end, transport_.next_deadline().value_or(end)) - now);
      transport_.advance(clock_.now());
    }
    return true;
  }
  void give_up() {
    transport_.close(FailureReason::kAbandoned, clock_.now());
    while (transport_.next_event()) {
    }
    open_.clear();
  }

  std::optional<Duration> round_trip() const {
    const auto measured = transport_.round_trip();
    return measured ? std::optional{measured->smoothed} : std::nullopt;
  }
  /// The number of answers on the first connection before it ended; nothing: the connection is still open.
  std::optional<std::uint32_t> closed_after() const { return closed_after_; }
  std::uint32_t done() const { return done_; }
  DataSize received() const { return received_; }
  std::optional<TimePoint> first_byte() const { return first_byte_; }
  TimePoint last_byte() const { return last_byte_; }

 private:
  void take_events() {
    while (const auto event = transport_.next_event()) {
      if (const auto* body = std::get_if<BodyReceived>(&*event)) {
        last_byte_ = clock_.now();
        if (!first_byte_) first_byte_ = last_byte_;
        received_ += size_of(body->bytes);
      } else if (const auto* done = std::get_if<RequestDone>(&*event)) {
        open_.erase(done->id);
        ++done_;
      } else if (const auto* failed = std::get_if<RequestFailed>(&*event)) {
        open_.erase(failed->id);
        throw ProbeError{failed->reason, failed->detail};
      }
    }
  }

  Clock clock_;
  CurlLoop loop_;
  FileLocation object_;
  std::uint32_t connections_ = 0;
  PipelinedTransport transport_;
  std::uint64_t last_ = 0;
  std::uint32_t done_ = 0;
  std::optional<std::uint32_t> closed_after_;
  std::set<RequestId> open_;
  DataSize received_;
  std::optional<TimePoint> first_byte_;
  TimePoint last_byte_;
};

ObjectHead first_byte(const ProbeRequest& request) {
  const Clock clock;
  CurlLoop loop;
  ObjectFetch fetch{loop, request.url, request.rules, ObjectFetch::Wanted::kFirstByte, [](const auto&, auto) {}};
  while (clock.now() < TimePoint{kPatience}) {
    if (auto head = fetch.result()) return *std::move(head);
    loop.wait(200ms);
  }
  throw ProbeError{FailureReason::kStalled, "no answer within 10 s"};
}

std::map<std::string, std::uint64_t> counters(const std::vector<std::string>& links) {
  std::map<std::string, std::uint64_t> result;
  for (const std::string& link : links) {
    if (const auto bytes = received_bytes(link)) result[link] = *bytes;
  }
  return result;
}

void measure_rate(Conversation& conversation, const ProbeRequest& request, LinkProbe& probe) {
  const DataSize sample = std::min(request.sample, probe.size.value_or(DataSize{}));
  const auto before = counters(request.other_links);
  for (std::uint32_t piece = 0; piece < kPieces; ++piece) {
    const DataSize begin{sample.bytes() * piece / kPieces}, end{sample.bytes() * (piece + 1) / kPieces};
    if (begin < end) conversation.ask({begin, end});
  }
  const bool all = conversation.finish(kSampleFor);
  probe.crawls = !conversation.first_byte();
  if (probe.crawls) return conversation.give_up();
  probe.sampled = conversation.received();
  const Duration time = conversation.last_byte() - *conversation.first_byte();
  probe.too_small = all && probe.sampled < kLeastSample && time < kLeastTime;
  if (!probe.too_small && time > Duration::zero()) probe.rate = probe.sampled / time;
  for (const auto& [link, bytes] : counters(request.other_links)) {
    const auto earlier = before.find(link);
    if (earlier != before.end() && probe.sampled >= DataSize{100'000} &&
        bytes - earlier->second >= static_cast<std::uint64_t>(probe.sampled.bytes()) * 9 / 10)
      probe.also_over.push_back(link);
  }
  if (!all) conversation.give_up();
}

void try_single_bytes(Conversation& conversation, LinkProbe& probe) {
  const Clock clock;
  while (conversation.done() < kRequests && !conversation.closed_after() && clock.now() < TimePoint{kSingleBytesFor}) {
    for (std::uint32_t i = 0; i < kAtOnce; ++i) conversation.ask({DataSize{0}, DataSize{1}});
    if (!conversation.finish(kPatience)) return conversation.give_up();
  }
  probe.closes_after = conversation.closed_after();
  probe.requests_on_a_connection = probe.closes_after.value_or(conversation.done());
  probe.pipelining = probe.requests_on_a_connection > 1;
}

void examine(const ProbeRequest& request, LinkProbe& probe) {
  const ObjectHead head = first_byte(request);
  probe.answered_by = head.url;
  probe.size = head.size;
  probe.etag = head.etag;
  probe.ranges = head.ranges;
  probe.web_page = head.content_type.starts_with("text/html");
  const FileLocation object = parse_url(head.url);
  if (!head.ranges || !head.size || *head.size == DataSize{}) return;
  Conversation sample{object, request.rules};
  sample.ask({DataSize{0}, DataSize{1}});
  if (!sample.finish(kPatience)) throw ProbeError{FailureReason::kStalled, "it connects, and then no byte comes"};
  probe.round_trip = sample.round_trip();
  try {
    Conversation many{object, request.rules};
    try_single_bytes(many, probe);
    // On new connections: bytes that a slow link has not brought in time would delay the sample.
    Conversation measured{object, request.rules};
    measure_rate(measured, request, probe);
  } catch (const ProbeError& error) {
    probe.crawls = error.reason == FailureReason::kStalled || error.reason == FailureReason::kConnectTimeout;
    if (!probe.crawls) throw;
  }
}

}  // namespace

LinkProbe probe_link(const ProbeRequest& request) {
  LinkProbe probe;
  try {
    ProbeRequest impatient = request;
    impatient.rules.connect_timeout = kProbeConnectPatience;
    examine(impatient, probe);
  } catch (const ProbeError& error) {
    probe.failure = {error.reason, error.text};
  } catch (const FetchError& error) {
    probe.failure = {error.reason, error.what()};
  } catch (const LookupError& error) {
    probe.failure = {FailureReason::kResolve, error.what()};
  }
  return probe;
}

}  // namespace tributary
