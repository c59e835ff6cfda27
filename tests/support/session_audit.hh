#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/session.hh"
#include "core/world.hh"
#include "units/byte_set.hh"

namespace tributary::testing {

/// Keeps the books of a session. Complains of the session or of its world if a rule is broken:
///   every request ends once, and brings no byte too many;
///   only links that are up and in use are asked, and (unless bytes are counted) for at most `depth` requests at once,
///   or one more if another link was lost;
///   no byte is asked for that has come or is outstanding, unless the request says so (takes over);
///   segments are started in order, at most as many as the buffer holds, and delivered in order with all their bytes;
///   delivered segments play in order, and time does not run backwards;
///   deadlines of the session are in the future, and its end is told truly.
class SessionAudit : public SessionObserver {
 public:
  explicit SessionAudit(const Session& session) : session_{session} {}

  void on_event(const Event& event, TimePoint at) override {
    settle();
    if (at < now) complain("time runs backwards");
    now = at;
    std::visit([this](const auto& e) { on(e); }, event);
  }
  void on_action(const Action& action, TimePoint /*at*/) override {
    if (finish) complain("something is wanted after the end");
    std::visit([this](const auto& a) { does(a); }, action);
  }
  /// To be called after the last action that follows from an event. on_event() calls it for the event before.
  void settle() {
    const auto deadline = session_.next_deadline();
    if (deadline && *deadline <= now) complain("wants to be woken at a time that has passed");
    if (session_.finished() != finish.has_value()) complain("it is over, and nothing was said");
    if (session_.finished()) return;
    if (!is_download() && receiving_.size() - in_part_.size() + session_.playout().buffered_segments() >
                              options().buffer_segments + cached_)
      complain(fmt::format("{} segments are received and {} buffered, of {}", receiving_.size(),
                           session_.playout().buffered_segments(), options().buffer_segments));
    if (session_.outstanding().all().size() != open_.size()) complain("it does not know what is outstanding");
  }

  const std::vector<std::string>& complaints() const { return complaints_; }

  /// The bytes that each segment still lacks while it is being received, in the order of segments.
  std::vector<std::pair<SegmentIndex, DataSize>> missing() const {
    std::vector<std::pair<SegmentIndex, DataSize>> result;
    for (const auto& [segment, receiving] : receiving_) {
      DataSize& size = result.emplace_back(segment, DataSize{}).second;
      for (std::uint32_t part = 0; part < receiving.sizes.size(); ++part) {
        const ByteRange whole{DataSize{}, receiving.sizes[part]};
        const auto here = receiving.received.find(part);
        if (here == receiving.received.end()) {
          size += whole.size();
        } else {
          for (const ByteRange& gap : here->second.gaps_in(whole)) size += gap.size();
        }
      }
    }
    return result;
  }

  std::vector<SegmentIndex> delivered;  // since the last seek
  std::vector<action::PlaySegment> played;
  std::optional<action::Finish> finish;
  std::size_t requests = 0, failures = 0, taken_over = 0;
  TimePoint now;

 private:
  struct Open {
    action::SendRequest sent;
    DataSize received;
    bool stray = false;  // the segment was delivered without this request, or given up
    ByteRange left() const { return {sent.range.begin + received, sent.range.end}; }
  };
  struct Link {
    bool up = false;
    LinkUse use = LinkUse::kUse;
    std::optional<TimePoint> avoided_until;
  };
  struct Receiving {
    std::vector<DataSize> sizes;
    std::map<std::uint32_t, ByteSet> received;  // by part
    DataSize otherwise;                         // so many bytes of the first part came by other means
  };

  const SessionOptions& options() const { return session_.options(); }
  bool is_download() const { return options().mode == StreamingMode::kDownload; }
  void complain(std::string what) {
    if (complaints_.size() < 20) complaints_.push_back(fmt::format("{:.6f} s: {}", to_seconds(now), what));
  }
  void expect_open(RequestId id, std::string_view what) {
    if (!open_.contains(id)) complain(fmt::format("{} of request {}, which is not outstanding", what, to_index(id)));
  }

  // ---- events
  void on(const event::LinkUp& e) { links_[e.link] = {true, e.use, std::nullopt}; }
  void on(const event::LinkDown& e) { links_[e.link].up = false; }
  void on(const event::LinkUseChanged& e) { links_[e.link].use = e.use; }
  void on(const event::ResponseBegan& e) { expect_open(e.request, "the response"); }
  void on(const event::BytesReceived& e) {
    expect_open(e.request, "bytes");
    Open& request = open_[e.request];
    if (e.size > request.left().size())
      return complain(fmt::format("request {} has more bytes than it wants", to_index(e.request)));
    const ByteRange range{request.left().begin, request.left().begin + e.size};
    request.received += e.size;
    const auto segment = receiving_.find(request.sent.segment);
    if (!request.stray && segment != receiving_.end()) segment->second.received[request.sent.part].add(range);
  }
  void on(const event::RequestDone& e) {
    expect_open(e.request, "the end");
    if (!open_[e.request].left().empty())
      complain(fmt::format("request {} ends before its bytes", to_index(e.request)));
    open_.erase(e.request);
  }
  void on(const event::RequestFailed& e) {
    expect_open(e.request, "the failure");
    open_.erase(e.request);
    ++failures;
  }
  void on(const event::SeekRequested& e) {
    delivered.clear();
    in_part_.clear();
    cached_ = e.cached;  // these count as buffered; segments that are being received may stay
    seeks_ = true;
  }
  void on(const event::RestArrived& e) {
    if (!is_download()) return;
    end_ = std::min(end_, to_index(e.segment));
    shared_ = e;
    if (const auto begun = receiving_.find(e.shared); begun != receiving_.end())
      begun->second.otherwise = std::max(begun->second.otherwise, e.here);
  }
  void on(const auto& /*event*/) {}

  // ---- actions
  void does(const action::StartSegment& a) {
    Receiving& receiving = receiving_[a.segment];
    if (shared_.shared == a.segment) receiving.otherwise = shared_.here;
    if (!receiving.sizes.empty()) complain(fmt::format("segment {} is started twice", to_index(a.segment)));
    if (a.init_parts > 0) add_sizes(receiving, session_.table().init_parts(a.segment, a.quality));
    add_sizes(receiving, session_.table().parts(a.segment, a.quality));
    DataSize sum;
    for (const DataSize size : receiving.sizes) sum += size;
    if (sum != a.size) complain(fmt::format("segment {} does not have {} bytes", to_index(a.segment), a.size.bytes()));
  }
  static void add_sizes(Receiving& receiving, const std::vector<SegmentPart>& parts) {
    for (const SegmentPart& part : parts) receiving.sizes.push_back(part.size());
  }

  void does(const action::SendRequest& a) {
    ++requests;
    if (a.takes_over) ++taken_over;
    if (a.request <= last_request_) complain("request ids do not count upwards");
    last_request_ = a.request;
    const Link& link = links_[a.link];
    if (!link.up) complain(fmt::format("request {} for link {}, which is down", to_index(a.request), to_index(a.link)));
    if (link.use == LinkUse::kDoNotUse) complain("a request for a link that is switched off");
    if (link.avoided_until && *link.avoided_until > now) complain("a request for a link that is to be left alone");
    const auto owed = std::ranges::count(open_, a.link, [](const auto& entry) { return entry.second.sent.link; });
    const bool by_number = options().subsegments != SubsegmentApproach::kBalanced;         // balanced counts bytes
    const std::uint32_t most = options().depth + (a.reason.starts_with("again") ? 1 : 0);  // owed by a lost link
    if (by_number && static_cast<std::uint32_t>(owed) >= most)
      complain(fmt::format("link {} has {} requests already", to_index(a.link), owed));
    if (a.afresh) begin_anew(a);
    check_range(a);
    open_[a.request] = {a, {}, false};
  }
  void begin_anew(const action::SendRequest& a) {
    for (auto& [id, other] : open_)
      other.stray = other.stray || (other.sent.segment == a.segment && other.sent.part == a.part);
    if (const auto segment = receiving_.find(a.segment); segment != receiving_.end())
      segment->second.received.erase(a.part);
  }
  void check_range(const action::SendRequest& a) {
    const auto segment = receiving_.find(a.segment);
    if (segment == receiving_.end())
      return complain(fmt::format("a request for segment {}, which is not started", to_index(a.segment)));
    const Receiving& receiving = segment->second;
    if (a.part >= receiving.sizes.size() || a.range.empty() || a.range.begin < DataSize{} ||
        a.range.end > receiving.sizes[a.part])
      return complain(fmt::format("request {} has a range outside of its part", to_index(a.request)));
    if (a.takes_over || ignores_ranges(a, receiving)) return;
    const auto here = receiving.received.find(a.part);
    if (here != receiving.received.end() && here->second.gaps_in(a.range) != std::vector{a.range})
      complain(fmt::format("request {} wants what is here", to_index(a.request)));
    for (const auto& [id, other] : open_) {
      const auto known = std::ranges::find(session_.outstanding().all(), id, &OutstandingRequest::id);
      if (known == session_.outstanding().all().end() || known->abandoned || other.stray ||
          other.sent.segment != a.segment || other.sent.part != a.part)
        continue;
      if (!intersection(known->owed_alone(), a.range).empty())
        complain(fmt::format("request {} wants what request {} was asked for", to_index(a.request), to_index(id)));
    }
  }
  /// A whole part is asked for, even if some of it is here: the origin does not know ranges.
  static bool ignores_ranges(const action::SendRequest& a, const Receiving& receiving) {
    return a.range == ByteRange{DataSize{}, receiving.sizes[a.part]};
  }

  void does(const action::DeliverFrames& a) {
    std::uint32_t& before = in_part_[a.segment];
    if (!receiving_.contains(a.segment)) complain("frames are delivered of a segment that was not started");
    if (a.begin != before || a.end <= a.begin) complain("frames do not follow those before");
    if (before == 0) deliver(a.segment);
    before = a.end;
  }
  void deliver(SegmentIndex segment) {
    if (!is_download() && !delivered.empty() && !follows(segment, delivered.back()))
      complain(fmt::format("segment {} is delivered after {}", to_index(segment), to_index(delivered.back())));
    delivered.push_back(segment);
  }
  void does(const action::DeliverSegment& a) {
    const auto segment = receiving_.find(a.segment);
    if (segment == receiving_.end())
      return complain(fmt::format("segment {} is delivered and was not started", to_index(a.segment)));
    const auto in_part = in_part_.find(a.segment);
    if (a.begin != (in_part == in_part_.end() ? 0 : in_part->second)) complain("what is left is not all that is left");
    for (std::uint32_t part = 0; a.end == 0 && part < segment->second.sizes.size(); ++part) {
      const DataSize size = segment->second.sizes[part];
      const DataSize from = part == 0 ? std::min(segment->second.otherwise, size) : DataSize{};
      if (!segment->second.received[part].gaps_in({from, size}).empty())
        complain(fmt::format("segment {} is delivered with a gap in part {}", to_index(a.segment), part));
    }
    if (in_part == in_part_.end()) deliver(a.segment);
    in_part_.erase(a.segment);
    give_up(a.segment);
  }
  /// Whether `segment` is the next after `before`, apart from skipped ones.
  bool follows(SegmentIndex segment, SegmentIndex before) const {
    SegmentIndex expected = next(before);
    while (std::ranges::count(skipped_, expected) > 0 && expected < segment) expected = next(expected);
    return segment == expected;
  }
  void does(const action::SkipSegment& a) {
    give_up(a.segment);
    skipped_.push_back(a.segment);
  }
  void does(const action::DropSegment& a) {
    if (!give_up(a.segment)) complain(fmt::format("segment {} is dropped, and was not received", to_index(a.segment)));
  }
  bool give_up(SegmentIndex segment) {
    for (auto& [id, request] : open_) request.stray = request.stray || request.sent.segment == segment;
    return receiving_.erase(segment) > 0;
  }
  void does(const action::PlaySegment& a) {
    if (a.miss < Duration::zero()) complain("a deadline is missed by less than nothing");
    if (a.due && *a.due + a.miss != a.at) complain("a deadline miss does not add up");
    if (!finish && a.at > now && !session_.finished()) complain("something plays in the future");
    played.push_back(a);
  }
  void does(const action::AvoidLink& a) {
    if (session_.links().at(a.link).used_up) return;  // its cap may be raised at any time
    links_[a.link].avoided_until = a.until.value_or(TimePoint::max());
  }
  void does(const action::Finish& a) {
    finish = a;
    const std::size_t all = std::min(session_.table().segment_count(), end_);
    const auto wanted = std::ranges::count_if(delivered, [&](SegmentIndex segment) { return to_index(segment) < all; });
    if (a.complete && !seeks_ && static_cast<std::size_t>(wanted) + skipped_.size() != all)
      complain(fmt::format("complete with {} and {} skipped of {} segments", wanted, skipped_.size(), all));
    if (a.reason.empty()) complain("it ends without a reason");
  }
  void does(const auto& /*action*/) {}

  const Session& session_;
  std::vector<std::string> complaints_;
  std::map<RequestId, Open> open_;
  std::map<LinkId, Link> links_;
  event::RestArrived shared_;
  std::map<SegmentIndex, Receiving> receiving_;
  std::map<SegmentIndex, std::uint32_t> in_part_;  // segments that play, and how many of their frames were delivered
  std::vector<SegmentIndex> skipped_;
  RequestId last_request_{0};
  bool seeks_ = false;
  std::size_t end_ = std::numeric_limits<std::size_t>::max();  // nothing from there on is wanted
  std::uint32_t cached_ = 0;
};

}  // namespace tributary::testing
