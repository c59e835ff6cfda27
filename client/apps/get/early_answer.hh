#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "transport/http/file_versions.hh"
#include "transport/http_transport.hh"

namespace tributary {

/// A link over which the first question was sent.
struct AskedLink {
  std::string name;
  Duration turnaround;  // transport/connections/curl_handle.hh
};

/// Asks for all of an object while the first question, what it is, is not answered: an origin that takes long for that takes as long
/// for the next, and a single request is all that a simpler client would have made. What comes is left where it is until the object
/// is known.
class EarlyAnswer {
 public:
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>(const std::string& link,
                                                                          const transport::FileVersions& versions)>;

  EarlyAnswer(std::string target, Connect connect) : target_{std::move(target)}, connect_{std::move(connect)} {}

  /// Does what can be done now, over the first link of which it is told. How long it can be waited until the next call; nothing:
  /// until something happens.
  std::optional<Duration> advance(const std::optional<AskedLink>& asked);
  bool begun() const { return transport_ != nullptr; }
  const std::string& link() const { return link_->name; }

  /// When the clock of its transport began.
  std::chrono::steady_clock::time_point start() const { return start_; }
  const std::string& target() const { return target_; }
  /// What it knows of the object, and the next connections may know as well.
  const transport::FileVersions& versions() const { return versions_; }
  std::unique_ptr<transport::HttpTransport> take_transport() { return std::move(transport_); }
  /// The first thing that came, if any. It lives until the transport is called again.
  std::optional<transport::Event> take_event() { return std::exchange(first_, std::nullopt); }

 private:
  std::string target_;
  Connect connect_;
  transport::FileVersions versions_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<AskedLink> link_;
  TimePoint asked_;  // the first question was sent over it
  std::unique_ptr<transport::HttpTransport> transport_;
  std::optional<transport::Event> first_;
};

}  // namespace tributary
