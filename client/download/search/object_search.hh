#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "download/search/front_answer.hh"
#include "download/search/plain_download.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/object_fetch.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// Asks for an object over several links at the same time. The question is for everything from some byte on, and its
/// answer goes on once the object is found. If it does not say how long the object is, more questions find that. If it is
/// refused, one byte may not be. Over a link that is to be spared, the question is for the first byte. If
/// ranges are of no use, the question is for all of the object in one answer. An object that comes whole is taken from
/// one link and one answer: the first that brings a byte.
class ObjectSearch {
 public:
  /// If an origin is silent for so long after a request for a range, it is also asked without a range.
  static constexpr Duration kPatience = std::chrono::seconds{10};

  struct Options {
    std::string url;
    transport::LinkRules rules = {};                     // over any link
    bool ranges = true;                                  // the first question is for a range
    bool whole_as_well = false;                          // after kPatience, a second question is for all
    std::optional<transport::ObjectHead> in_range = {};  // the head that an earlier range stated
    std::optional<DataSize> from = DataSize{};           // everything from here on is missing; or nothing is
    std::function<bool(const std::string& link)> spares = [](const std::string&) { return false; };
  };
  struct Found {
    std::string link;
    transport::ObjectHead head;
    bool refuses_large_ranges = false;
    std::unique_ptr<FrontAnswer> front{};  // if the answer goes on
  };

  /// The loop and `plain`, which takes an object that comes whole, must outlive it.
  ObjectSearch(transport::CurlLoop& loop, Options options, PlainDownload& plain)
      : loop_{loop}, options_{std::move(options)}, plain_{plain} {}

  /// The attempt over a link (worlds/discovery/first_link.hh). The search must outlive it.
  Attempt begin(const std::string& link);

  /// Set once an attempt has ended with AttemptState::kThere.
  std::optional<Found>& found() { return found_; }
  /// The time until an attempt must be called again; nothing if only the loop can wake it.
  std::optional<Duration> until_deadline() const;

 private:
  class Inquiry;

  transport::CurlLoop& loop_;
  Options options_;
  PlainDownload& plain_;
  std::vector<const Inquiry*> inquiries_;
  const Inquiry* bringing_ = nullptr;  // the object comes whole there
  std::optional<Found> found_;
};

}  // namespace tributary
