#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "transport/connections/origin.hh"
#include "transport/http_transport.hh"
#include "units/text/alternative_addresses.hh"

namespace tributary::transport {

/// Fetches ranges over one link, from one origin and from others that absolute targets name, and follows redirections:
/// to other places there, and to other origins. Each origin has a transport of its own.
///
/// Where a file has alternative addresses, a request that is refused at one, or does not come to a connection there, is
/// made at the next one at once; it fails when all have failed. Any failure at an address, but none of the link, makes
/// the next address the preferred one of its group.
///
/// The new place of a file is remembered. If the file is refused there, the origin is asked again at once, because an
/// address may be valid only for a while. If nothing answers there, the next request asks the origin. Links do not share
/// places: a network may redirect to servers of its own, or to its login page.
///
/// A target may be an address that holds its file (`data:`): nothing is asked for it.
///
/// Never goes from https to http, to an address with a user name, or beyond kMostRedirects redirections for a request.
class RedirectedTransport final : public HttpTransport {
 public:
  static constexpr int kMostRedirects = 50;  // the default of curl
  static constexpr std::size_t kMostOrigins = 8;

  /// Makes a transport to an origin, over the link. May throw UrlError.
  using Connect = std::function<std::unique_ptr<HttpTransport>(const Origin& origin)>;
  RedirectedTransport(Origin home, Connect connect, AlternativeAddresses alternatives = {});

  /// An earlier request for the target was answered at this place.
  void knows(const std::string& target, const FileLocation& place) { moved_.insert_or_assign(target, place); }

  void submit(const RangeRequest& request, TimePoint now) override;
  void close(FailureReason reason, TimePoint now) override;
  void abandon(TimePoint now) override;
  void advance(TimePoint now) override;
  std::optional<Event> next_event() override;
  std::optional<TimePoint> next_deadline() const override;
  /// The round trip of the connection that answered last.
  std::optional<RoundTrip> round_trip() const override { return answered_->transport->round_trip(); }
  std::optional<RoundTrip> take_round_trip() override { return answered_->transport->take_round_trip(); }

 private:
  struct Place {
    Origin origin;
    std::unique_ptr<HttpTransport> transport;
  };
  struct Asked {
    RangeRequest request;
    FileLocation at;
    int redirects = 0;
    bool remembered = false;  // `at` is from an earlier request, not from a redirection of this one
    std::optional<AlternativeAddresses::Match> alternative{};
    std::size_t beginning = 0;  // of the group: where it is asked now
    std::size_t failed = 0;     // addresses where it has failed
  };
  struct Told {
    Event event;
    std::string bytes{};  // of a body
  };
  using Requests = std::map<RequestId, Asked>;

  void ask(Requests::iterator asked);
  /// Answers a request whose address holds the file itself.
  void answer_from_address(const RangeRequest& request);
  std::optional<Event> next_told();
  Place& place_of(const Origin& origin);
  /// Removes an idle origin if there are kMostOrigins. Throws UrlError if none is idle.
  void make_room_for(const Origin& origin);
  /// Where the target is, at its alternative if it has any. Throws UrlError.
  FileLocation named(const Asked& asked) const;
  void remember(const Asked& asked);
  std::optional<Event> heard(Event event, Place& from);
  /// Asks at another place, and returns true. If no place is left, returns false, and `failed` tells the reason.
  bool goes_on(Requests::iterator asked, RequestFailed& failed);
  /// Forgets the remembered place where the request has failed.
  void forget_place_of(const Asked& asked);
  /// Asks at the next alternative, and returns true; false if the request has to fail.
  bool turns_to_next(Requests::iterator asked, FailureReason reason);
  /// Asks at `location`. Throws UrlError if that is not allowed.
  void follow(Requests::iterator asked, const std::string& location);

  Origin home_;
  Connect connect_;
  AlternativeAddresses alternatives_;
  std::unordered_map<std::size_t, std::size_t> preferred_;  // beginnings, by group
  std::deque<std::unique_ptr<Place>> places_;               // the first is home
  const Place* answered_;                                   // the place that answered last
  Requests asked_;
  std::deque<Told> told_;                                // of requests that no origin is asked for
  std::string last_bytes_;                               // of these: what the last event lent
  std::unordered_map<std::string, FileLocation> moved_;  // by target: the place that answered last
  TimePoint now_;
};

}  // namespace tributary::transport
