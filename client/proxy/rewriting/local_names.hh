#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "proxy/rewriting/address.hh"

namespace tributary::proxy {

/// How addresses are called locally, and back: "https://cdn.example/film/1.ts?token=s" is "/1/0/film/1.ts?3". Folders stay
/// as they are, so that relative names lead to the same place. Origins and queries are numbered; a player sees neither.
/// Does not know which addresses were announced.
class LocalNames {
 public:
  /// `prefix` stands before all targets, and `outside` before these in texts.
  LocalNames(std::string prefix, std::string outside) : prefix_{std::move(prefix)}, outside_{std::move(outside)} {}

  /// "/1/0/film/1.ts?3". Throws ManifestError beyond kMostOrigins.
  std::string target(const Address& address);
  /// The same as it stands in manifests.
  std::string in_text(const Address& address) { return outside_ + target(address); }
  /// As it stands in manifests, of a name behind the prefix.
  std::string in_text(std::string_view behind_prefix) const;
  /// A name in manifests that leads nowhere.
  std::string nowhere() const { return in_text("none"); }

  std::size_t number_of_origin(const std::string& origin);
  std::size_t number_of_query(const std::string& query);
  /// Forgets the numbers of all other queries.
  void keep_queries(const std::unordered_set<std::string>& used);
  std::size_t query_count() const { return queries_.size(); }

  /// What a player asks for.
  struct Asked {
    std::string origin, path;
    std::optional<std::string> query;  // of the address, if only numbers stand for it; empty: there is none
    std::string behind_prefix;         // "0/film/1.ts?3", for patterns
    std::string directives;            // of HLS, for the origin: "_HLS_msn=5&_HLS_part=2"
  };
  /// Nothing: the target is not below the prefix, or no such origin or query is known. Of its query, only numbers and
  /// directives count.
  std::optional<Asked> read(std::string_view target) const;

 private:
  std::string prefix_, outside_;
  std::vector<std::string> origins_;
  std::unordered_map<std::string, std::size_t> origin_numbers_;
  std::unordered_map<std::size_t, std::string> queries_;
  std::unordered_map<std::string, std::size_t> query_numbers_;
  std::size_t next_query_ = 0;  // no number is used twice
};

/// The directives of HLS within a query, and the query without them (draft-pantos-hls-rfc8216bis, section 6.2.5 and
/// appendix D).
struct DividedQuery {
  std::string directives, rest;
};
DividedQuery divided(std::string_view query);

}  // namespace tributary::proxy
