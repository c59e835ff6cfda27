#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/world.hh"
#include "manifests/live/live_title.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/document_fetch.hh"
#include "units/text/alternative_addresses.hh"
#include "worlds/discovery/link_turns.hh"
#include "worlds/discovery/live_source.hh"

namespace tributary {

/// Follows a live presentation. Fetches its index or manifest again when that is due, over one link at a time, and tells
/// its news. If a link does not answer, the next one is asked; at low latency soon, and beside the first. If the origin asks for a pause over a link (Retry-After),
/// that link is left alone until then.
class LiveOrigin {
 public:
  struct Options {
    std::string url{};                                                  // of the index or manifest
    transport::LinkRules rules{};                                       // the link is set for each
    AlternativeAddresses alternatives{};                                // of its documents
    Duration give_up_after = std::chrono::seconds{60};                  // without an answer
    Duration ended_after = std::chrono::seconds{60};                    // with answers, but without a further segment
    std::function<void(TimePoint at, const std::string& note)> tell{};  // what happened to it, for people; null: nobody
  };

  /// `first`: the presentation with which the session begins, of an index.json; or of a manifest, which is `title`. The
  /// loop and the title must outlive the object. The session starts now.
  LiveOrigin(transport::CurlLoop& loop, const Presentation& first, Options options, LiveTitle* title = nullptr);

  /// Appends the events up to `now`. `links`: those that can be used.
  void advance(TimePoint now, const std::vector<std::string>& links, std::deque<TimedEvent>& happened);
  /// The latest time for the next advance(), if nothing arrives before.
  std::optional<TimePoint> next_deadline() const;
  /// These tracks of the presentation are played. An answer that the origin holds is not waited for if one of them has been
  /// joined: it would come first.
  void play(const std::vector<std::size_t>& tracks);
  /// The origin does not have a segment that it should have: what it publishes may have changed.
  void look_again() { source_->look_again(); }
  /// The origin answered, but added no segment for `ended_after`, so that the presentation counts as over.
  bool went_quiet() const { return went_quiet_; }

 private:
  struct Fetch {
    std::string link;
    TimePoint sent;
    std::optional<TimePoint> overdue_at{};  // another link is asked, too, from then on; nothing: none is
    std::vector<std::string> due{};         // as the source names them
    std::vector<std::string> urls{};        // as they were asked for
    std::vector<std::unique_ptr<transport::DocumentFetch>> documents{};
    std::vector<std::optional<transport::Document>> fetched{};  // without an address: it failed
    std::vector<std::string> failures{};                        // of each
    bool origin_said_no = true;                                 // all that failed are answers of the origin
    bool not_allowed = false;                                   // one that failed leads where the title may not lead
    std::size_t addresses = 1;                                  // of the document that has most
  };

  void start_fetch(TimePoint now, const std::vector<std::string>& links);
  Fetch fetch_over(const std::string& link, const std::vector<std::string>& urls, bool alone, TimePoint now);
  void start_second(TimePoint now, const std::vector<std::string>& links);
  void take_second(TimePoint now);
  void look_at(Fetch& fetch, TimePoint now);
  void note_failure(Fetch& fetch, std::size_t document, const transport::FetchError& error, TimePoint now);
  void take_answer(TimePoint now, std::deque<TimedEvent>& happened);
  void take(TimePoint now, std::deque<TimedEvent>& happened);
  void look_at_clock(TimePoint now, std::deque<TimedEvent>& happened);
  void tell(std::vector<Event> news, TimePoint now, std::deque<TimedEvent>& happened);
  void stop(const std::string& why, TimePoint now, std::deque<TimedEvent>& happened);
  void failed(TimePoint now, const std::string& why);
  void give_up_if_hopeless(TimePoint now, std::deque<TimedEvent>& happened);

  transport::CurlLoop& loop_;
  Options options_;
  std::unique_ptr<LiveSource> source_;
  std::optional<Fetch> fetch_, second_;       // of the same documents, over another link, where the first is overdue
  Duration patience_{};                       // least time for the next fetch
  std::map<std::string, std::string> etags_;  // by address, of the documents that were taken last
  LinkTurns turns_;                           // each failure turns to the next alternative address, too
  std::string why_failed_;
  TimePoint last_answer_, last_news_;
  bool begun_ = false, over_ = false, went_quiet_ = false;
};

}  // namespace tributary
