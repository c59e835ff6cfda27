#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <string>

#include "core/links/lane_count.hh"
#include "core/links/link_ids.hh"
#include "core/session_options.hh"
#include "units/identifiers.hh"

namespace tributary {

struct Link;
struct SessionState;

/// Opens and closes the connections of links: as many as the user said, or as lane_count.hh decides. Links that are not
/// free, or only for when they are needed, have one.
class Lanes {
 public:
  explicit Lanes(const SessionOptions& options) : connections_{options.connections} {}

  void decide(SessionState& s);

 private:
  struct OfLink {
    LaneCount count;
    std::uint32_t most = LaneCount::kMost;  // fewer, once the server refused one
    LinkIds opening;                        // not there yet
    std::string why_closed;
    bool rest = false;  // those that are asked for nothing more are not closed yet
  };
  void decide(LinkId link, std::uint32_t most, SessionState& s);
  std::uint32_t wanted(LinkId link, std::uint32_t most, const LinkIds& lanes, OfLink& known, SessionState& s);
  LaneCount::Situation situation(LinkId link, const LinkIds& lanes, const OfLink& known, const SessionState& s) const;

  std::uint32_t connections_;
  std::string why_;  // of the last decision
  boost::container::flat_map<LinkId, OfLink> links_;
};

}  // namespace tributary
