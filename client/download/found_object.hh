#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "download/search/front_answer.hh"
#include "transport/connections/origin.hh"
#include "transport/connections/preconnections.hh"
#include "transport/documents/object_fetch.hh"
#include "transport/link_transport.hh"

namespace tributary {

/// An object, and where to fetch it.
struct FoundObject {
  transport::ObjectHead head;
  transport::FileLocation location;                             // where it is asked for first
  std::vector<std::string> addresses;                           // of its origin
  std::optional<transport::KnownPlace> led_to{};                // after redirections, if there were any
  std::string link;                                             // the link over which it was found
  bool refuses_large_ranges = false;                            // its server does
  std::unique_ptr<FrontAnswer> front;                           // the answer that found it, if it goes on
  std::shared_ptr<transport::Preconnections> preconnections{};  // to the origin that was asked first

  /// Of the origin that ranges come from.
  const std::vector<std::string>& addresses_of_ranges() const { return led_to ? led_to->addresses : addresses; }
};

}  // namespace tributary
