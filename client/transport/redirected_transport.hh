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

namespace tributary::transport {

/// Fetches ranges over one link, and follows the redirections of the origin: to other places on it, and to other origins. Each
/// of them has a transport of its own. Where a file has moved to is remembered, and the origin is asked again when the
/// file is refused there: an address may be valid for a while only. What links learn is not shared, since a network may lead to
/// servers of its own, or to its login page.
///
/// Never leads from https to http, nor to an address with a user name, nor further than kMostRedirects times for a request.
class RedirectedTransport final : public HttpTransport {
 public:
  static constexpr int kMostRedirects = 50;  // as with curl
  static constexpr std::size_t kMostOrigins = 8;

  /// A transport to an origin, over the link. May throw UrlError.
  using Connect = std::function<std::unique_ptr<HttpTransport>(const Origin& origin)>;
  RedirectedTransport(Origin home, Connect connect);

  void submit(const RangeRequest& request, TimePoint now) override;
  void close(FailureReason reason, TimePoint now) override;
  void abandon(TimePoint now) override;
  void advance(TimePoint now) override;
  std::optional<Event> next_event() override;
  std::optional<TimePoint> next_deadline() const override;
  /// Of the connection that answered last.
  std::optional<RoundTrip> round_trip() const override { return answered_->transport->round_trip(); }

 private:
  struct Place {
    Origin origin;
    std::unique_ptr<HttpTransport> transport;
  };
  struct Asked {
    RangeRequest request;
    FileLocation at;
    int redirects = 0;
    bool remembered = false;  // where it is asked for: it was not told of this request
  };
  using Requests = std::map<RequestId, Asked>;

  void ask(Requests::iterator asked);
  Place& place_of(const Origin& origin);
  /// Throws UrlError if there is none.
  void make_room_for(const Origin& origin);
  FileLocation at_home(const RangeRequest& request) const;
  void remember(const Asked& asked);
  std::optional<Event> heard(Event event, Place& from);
  /// The request is asked for elsewhere now; else nothing, and its failure says why.
  bool goes_on(Requests::iterator asked, RequestFailed& failed);
  /// Throws UrlError if it may not be asked for there.
  void follow(Requests::iterator asked, const std::string& location);

  Origin home_;
  Connect connect_;
  std::deque<std::unique_ptr<Place>> places_;  // the first is home
  const Place* answered_;                      // last
  Requests asked_;
  std::unordered_map<std::string, FileLocation> moved_;  // by target at home: where it came from last
  TimePoint now_;
};

}  // namespace tributary::transport
