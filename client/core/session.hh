#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/action.hh"
#include "core/aggregate_meter.hh"
#include "core/byte_window.hh"
#include "core/event.hh"
#include "core/forecast_errors.hh"
#include "core/link_need.hh"
#include "core/link_table.hh"
#include "core/outstanding_requests.hh"
#include "core/playout_buffer.hh"
#include "core/quality_adaptation.hh"
#include "core/request_scheduler.hh"
#include "core/retry_policy.hh"
#include "core/rules.hh"
#include "core/segment_assembly.hh"
#include "core/session_options.hh"
#include "core/spending.hh"
#include "core/subsegment_planner.hh"
#include "core/take_over.hh"
#include "core/vain_wait.hh"
#include "presentation/segment_table.hh"

namespace tributary {

/// One stream over all links: told what happened and when, it says what to do next. Owns no clock, socket or
/// thread; the same table, options and timed events always give the same actions.
///
/// For every event, in this order: playout moves on to the present; the event is taken in (links, estimates,
/// bytes, wishes); complete segments are delivered; playout starts if enough is buffered; free links are asked for
/// more. Times never go backwards. After Finish nothing is said any more.
class Session {
 public:
  /// Throws std::invalid_argument if the options are impossible or the adaptation is unknown.
  Session(SegmentTable table, SessionOptions options);

  void handle(const Event& event, TimePoint now);
  /// To be performed in order, before the next event.
  std::optional<Action> next_action();
  /// When DeadlineReached is wanted at the latest.
  std::optional<TimePoint> next_deadline() const;
  bool finished() const { return finished_; }

  const SegmentTable& table() const { return table_; }
  const SessionOptions& options() const { return options_; }

  // What it knows at this moment, for those who show it.
  const PlayoutBuffer& playout() const { return playout_; }
  const LinkTable& links() const { return links_; }
  const OutstandingRequests& outstanding() const { return outstanding_; }

 private:
  void on(const event::LinkUp& e);
  void on(const event::LinkDown& e);
  void on(const event::SegmentAdded& e);
  void on(const event::SegmentPublished& e);
  void on(const event::WindowMoved& e);
  void on(const event::PresentationEnded& e);
  void on(const event::ResponseBegan& e);
  void on(const event::BytesReceived& e) { take_in(e); }
  void on(const event::RequestDone& e);
  void on(const event::RequestFailed& e);
  void on(const event::RoundTripMeasured& e);
  void on(const event::DeadlineReached& e);
  void on(const event::StopRequested& e);
  void on(const event::LinkUseChanged& e);
  void on(const event::SeekRequested& e);
  void on(const event::QualityChosen& e);
  void on(const event::PlayoutReported& e);
  void on(const event::LinkCostTold& e);

  bool take_in(const event::BytesReceived& e);
  void move_playout();
  void tell_stall();
  void deliver_complete_segments();
  void deliver_in_any_order();
  void start_playout_if_ready();
  void allow_playout_if_ready();
  void decide_who_is_needed();
  void schedule();
  void renew_connections();
  void finish_if_over();
  void tell_delivery();

  LinkIds links_to_ask(const LinksNow& present) const;
  bool ask_a_link();
  bool ask_link(LinkId link, const LinksNow& present, const LinkEstimates& links);
  bool ask_new(LinkId link, SegmentAssembly& segment, const LinkEstimates& links);
  bool ask_again(LinkId link);
  bool hand_over(const LinksNow& present);
  std::optional<LinkId> heir(const LinksNow& present) const;
  bool may_be_asked_for_more() const;
  bool may_be_taken_over() const;
  TimePoint first_due() const;
  bool others_may_try() const;
  bool may_be_dead(LinkId link, const LinksNow& present) const;
  bool take_over_late(LinkId link, const LinksNow& present);
  bool is_busy_until_it_answers(LinkId id) const;
  bool rescue_lost(LinkId link, std::span<const LinkNow> links, SegmentAssembly& segment, std::optional<TimePoint> due);
  void take_over_late_from(const TakeOver& late, LinkId link, SegmentAssembly& segment);
  void take_over_from(RequestId from, ByteRange range, LinkId link, SegmentAssembly& segment, const std::string& why);
  bool may_start_segment() const;
  void start_segment(const LinkEstimates& links);
  SegmentAssembly begin(SegmentIndex segment, const QualityChoice& choice, std::optional<DataRate> throughput);
  QualityChoice choose_quality(std::optional<DataRate> throughput);
  void lower_what_comes_late();
  bool may_be_lowered() const;
  bool brings_what_others_need(const SegmentAssembly& segment) const;
  void lower(SegmentAssembly& segment, const QualityChoice& choice, DataRate throughput);
  void skip_to_live_edge();
  void send(LinkId link, SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
            std::optional<RequestId> takes_over = std::nullopt);
  void give_back(SegmentAssembly& segment, const OutstandingRequest& failed, std::uint32_t wrong_answers);
  void skip_next(Duration lag, std::string reason);
  void give_up(SegmentIndex segment, const std::string& why);
  void apply(const RetryDecision& decision, const OutstandingRequest& request, const event::RequestFailed& failure);
  void want_again(const RetryDecision& decision, const OutstandingRequest& request, const std::string& why);
  void avoid_link(LinkId link, std::optional<Duration> how_long, const std::string& why);
  void drop_all_but(SegmentIndex first_wanted, bool keep);
  void abandon_what_is_not_wanted();
  void abandon_requests(LinkId link, std::string reason);
  void account_lag(const event::PlayoutReported& e);
  void allow_playout(std::string reason);
  void play(const Played& played);
  void finish(bool complete, std::string reason, bool used_up = false);

  // How often an idle link looks at what the others owe.
  static constexpr Duration kLookAgain = std::chrono::milliseconds{100};

  // Where something costs something.
  Spending::Situation spending_situation() const;
  bool is_spared(LinkId link) const { return spending_.is_spared(link, now_); }
  void look_for_used_up_links();
  std::string used_up_links() const;
  bool ask_by_cost();
  bool ask_spared(const LinkEstimate& link, const LinkEstimates& free);
  bool ask_short(const LinkEstimate& link, SegmentAssembly& segment, DataSize size, std::optional<TimePoint> due);
  bool duplicate_late(const LinkEstimate& link, SegmentAssembly& segment, std::optional<TimePoint> due);
  void send_allowed(LinkId link, SegmentAssembly& segment, WantedRange wanted, std::string reason);
  bool has_room(const LinkEstimate& link) const;
  LinkIds with_room(const LinkEstimates& links) const;

  DuplicatesLeft may_be_duplicated() const;
  bool may_become_late() const;
  bool has_room(LinkId id, const Link& link, std::optional<DataRate> rate) const;
  bool has_room_again(RequestId request);
  TimePoint end_of_quiet() const;
  SegmentAssembly* find_segment(SegmentIndex index);
  bool all_known_requested() const { return to_index(next_segment_) == table_.segment_count(); }
  bool all_requested() const { return all_known_requested() && table_.complete(); }
  bool started_all_asked_for() const {
    return std::ranges::none_of(assembling_, [](const SegmentAssembly& s) { return s.next_new().has_value(); });
  }
  bool everything_asked_for() const { return all_requested() && started_all_asked_for(); }
  bool wants_bytes() const { return !assembling_.empty() || may_start_segment(); }
  bool whole_part_outstanding(const SegmentAssembly& segment, std::uint32_t part) const;
  bool needs_to_be_decided() const;
  std::optional<DataRate> rate_of_links_in_use() const;
  std::optional<DataRate> throughput_for_quality(const LinkEstimates& links) const;
  Duration play_time(Duration media) const;
  Duration media_time(Duration time) const;
  Duration end_of(SegmentIndex segment) const { return table_.starts_at(segment) + table_.duration(segment); }
  DataSize bytes_to_come() const;
  Duration under_way() const;
  Duration next_publication() const;

  SegmentTable table_;
  SessionOptions options_;
  Rules rules_;
  std::unique_ptr<QualityAdaptation> adaptation_;
  std::unique_ptr<SubsegmentPlanner> planner_;
  RequestScheduler scheduler_;
  std::optional<ByteWindow> byte_window_;  // instead, with balanced subsegments
  RetryPolicy retry_policy_;

  TimePoint now_;
  TimePoint quiet_until_ = TimePoint::min();           // before, nothing follows from bytes that complete no segment
  TimePoint qualities_hold_until_ = TimePoint::min();  // until then what is on its way keeps its quality
  bool look_again_ = false;                            // what links owe, even if nothing happens
  LinkTable links_;
  OutstandingRequests outstanding_;
  AggregateMeter meter_;
  ForecastErrors forecast_errors_;
  std::deque<SegmentAssembly> assembling_;  // requested and not yet delivered, in the order of requests
  PlayoutBuffer playout_;
  std::vector<TimePoint> published_at_;                   // live: of each segment that exists
  SegmentIndex next_segment_{};                           // the next to be started
  SegmentIndex window_begin_{};                           // the origin has nothing before it
  std::vector<std::optional<SegmentIndex>> initialised_;  // by quality: its init parts were requested with this segment
  std::optional<SegmentIndex> first_segment_{SegmentIndex{0}};  // of the session, before it is started
  bool begins_by_memory_ = false;                               // AdaptationInput's
  std::optional<QualityIndex> chosen_quality_;                  // by the user
  LinkNeed link_need_;
  Spending spending_;
  std::optional<TimePoint> start_wanted_;  // since then somebody waits for playout to begin
  QualityIndex last_quality_{};            // that was chosen
  RequestId next_request_{1};
  bool whole_parts_ = false;  // no part is put together from several answers
  bool stall_told_ = false;
  std::string last_failure_;    // "; the last failure: ..."
  bool delivery_told_ = false;  // that all is delivered
  /// What a reporting player has to be allowed.
  enum class Waiting { kNothing, kStart, kStall };
  Waiting waiting_ = Waiting::kStart;
  bool has_played_ = false;  // a reporting player, since the start or the last seek
  struct Pace {
    TimePoint since;
    double speed = 1;  // 0 while it is paused
  };
  std::optional<Pace> pace_;  // of a reporting player
  Duration accepted_lag_{};   // live: so far behind the edge is where the user wants to be
  DataSize received_;
  DataSize duplicated_;    // asked of a second link
  DataRate least_useful_;  // of all links together
  VainWait wait_;
  bool finished_ = false;
  std::deque<Action> actions_;
};

}  // namespace tributary
