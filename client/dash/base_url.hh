#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::dash {

/// One BaseURL element, as it is written (ISO/IEC 23009-1 clause 5.6).
struct BaseUrl {
  std::string url;
  std::string service_location;  // empty if not stated
  Duration availability_offset{};

  bool operator==(const BaseUrl&) const = default;
};

/// The BaseURLs of one level, which are alternatives to each other.
using BaseUrls = std::vector<BaseUrl>;

/// Resolves a URI against an absolute address (RFC 3986 section 5), and gives an absolute address.
using Resolve = std::function<std::string(const std::string& base, const std::string& uri)>;

/// What the addresses of all files at some place begin with, the preferred first. `document` is the address of the MPD after redirects; `levels` are
/// those of MPD, Period, AdaptationSet and Representation.
/// Alternatives of several levels multiply; at most kMostAlternatives are given. Those that cannot be resolved are left
/// out; throws what `resolve` throws if none can.
std::vector<std::string> bases_of(const std::string& document, std::span<const BaseUrls* const> levels,
                                  const Resolve& resolve);

/// All addresses of a file, one for each base. An empty `uri` means the innermost BaseURL itself. A base with which the
/// `uri` cannot be resolved is left out; if no base is left, throws what `resolve` throws.
std::vector<std::string> addresses_of(std::span<const std::string> bases, const std::string& uri,
                                      const Resolve& resolve);

/// The first of them.
std::string address_of(std::span<const std::string> bases, const std::string& uri, const Resolve& resolve);

}  // namespace tributary::dash
