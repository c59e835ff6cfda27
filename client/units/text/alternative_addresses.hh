#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tributary {

/// Addresses of the same files that differ in their beginnings only: several BaseURLs of an MPD (ISO/IEC 23009-1 clause
/// 5.6.5), redundant variants of HLS (RFC 8216 section 6.2.4).
class AlternativeAddresses {
 public:
  static constexpr std::size_t kMostGroups = 1'000;

  /// Beginnings that stand for each other, the preferred first. A single one says nothing. A beginning belongs to the
  /// first group that names it.
  void add(const std::vector<std::string>& beginnings);
  void add(const AlternativeAddresses& other);

  struct Match {
    std::size_t group = 0;
    std::string rest;  // of the address, behind the beginning
  };
  /// The group with the longest beginning of the address; nothing: the address has no alternative.
  std::optional<Match> find(const std::string& url) const;
  const std::vector<std::string>& beginnings(std::size_t group) const { return groups_[group]; }
  /// All addresses of the file, the given one first.
  std::vector<std::string> all_of(const std::string& url) const;

  bool operator==(const AlternativeAddresses&) const = default;

 private:
  std::vector<std::vector<std::string>> groups_;
  std::map<std::string, std::size_t> group_of_;  // by beginning
};

}  // namespace tributary
