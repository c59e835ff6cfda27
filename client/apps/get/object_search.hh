#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/get/front_answer.hh"
#include "apps/get/plain_download.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/object_fetch.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// Asks for an object over several links at the same time: for all from some byte on, which goes on once it is found; or, where a link
/// is to be spared, for its first byte; and for all of it in one answer where ranges are of no use. An object that comes whole is taken
/// from one link only, and from one answer: from the first of which a byte comes.
class ObjectSearch {
 public:
  /// How long an origin may be silent to a request for a range, before it is asked without one as well.
  static constexpr Duration kPatience = std::chrono::seconds{10};

  struct Options {
    std::string url, ca_file;
    bool ranges = true;                                  // it is asked for a range at first
    bool whole_as_well = false;                          // and after kPatience for all of it, beside
    std::optional<transport::ObjectHead> in_range = {};  // what an answer in a range said of it before
    std::optional<DataSize> from = DataSize{};           // this is missing, and what is behind it; nothing: nothing is
    std::function<bool(const std::string& link)> spares = [](const std::string&) { return false; };
  };
  struct Found {
    std::string link;
    transport::ObjectHead head;
    std::unique_ptr<FrontAnswer> front{};  // if it goes on
  };

  /// The loop and `plain`, which takes an object that comes whole, must outlive it.
  ObjectSearch(transport::CurlLoop& loop, Options options, PlainDownload& plain)
      : loop_{loop}, options_{std::move(options)}, plain_{plain} {}

  /// What to do over a link (worlds/discovery/first_link.hh). This must outlive it.
  Attempt begin(const std::string& link);

  /// Once an attempt has ended with AttemptState::kThere.
  std::optional<Found>& found() { return found_; }
  /// When an attempt must be called at the latest, from now; nothing if something must happen before.
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
