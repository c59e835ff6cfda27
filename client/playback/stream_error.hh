#pragma once

#include <stdexcept>
#include <string>

#include "playback/stream.hh"
#include "transport/connections/origin_addresses.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// A stream cannot be opened, or cannot go on.
class StreamError : public std::runtime_error {
 public:
  explicit StreamError(StreamFailure what_for)
      : std::runtime_error{what_for.what.english()}, failure{std::move(what_for)} {}
  StreamFailure failure;
};

/// The user has closed the stream.
struct StreamClosed {};

// Failures in sentences for the user. `url`: of the index.
StreamFailure bad_url(const std::string& url, const transport::UrlError& error);
StreamFailure no_address(const std::string& url, const transport::LookupError& error);
StreamFailure not_fetched(const std::string& url, const NoLinkWorked& error);
StreamFailure bad_index(const std::string& url, const std::exception& error);
struct EndedTitle {
  std::string url;      // of the index
  std::string missing;  // the file that its server does not give out, relative to it; empty: that is not why
};
/// The session ended early, for this reason. `last`: the reason of the last failed request.
StreamFailure ended_early(const EndedTitle& title, const std::string& reason, std::optional<FailureReason> last);
/// The server answers, but adds no segment.
StreamFailure live_ended(const std::string& reason);
StreamFailure other_failure(const std::string& url, const std::exception& error);

}  // namespace tributary
