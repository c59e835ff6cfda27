#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hls/lines/playlist_variables.hh"
#include "proxy/rewriting/local_names.hh"
#include "proxy/rewriting/media_file.hh"
#include "proxy/rewriting/name_pattern.hh"
#include "units/data_rate.hh"

namespace tributary::proxy {

enum class FileKind {
  kManifest,  // a manifest, a playlist or a list of assets: its text is rewritten
  kMedia,     // a segment, a part of one, or an init segment
  kClock,     // a service of time of an MPD; its Date is what counts
  kKey,       // of AES-128 or SAMPLE-AES
  kOther,     // a text, thumbnail, licence
};

/// What a multivariant playlist tells of a playlist that it names.
struct PlaylistRole {
  hls::VariableValues variables;  // that it may import
  DataRate bitrate;
  FileKind segments = FileKind::kMedia;

  bool operator==(const PlaylistRole&) const = default;
};

/// What names of a document are relative to.
struct Base {
  Address address;
  /// A player resolves relative names against the local name of this address. Not so where a manifest was asked for at
  /// another address than it was found at.
  bool local = true;

  bool operator==(const Base&) const = default;
};

struct Announcement {
  FileKind kind = FileKind::kOther;
  ListPlace place{};
  std::shared_ptr<const PlaylistRole> role{};         // of playlists; null: unknown
  std::shared_ptr<const std::vector<Base>> around{};  // of a part of an MPD: what its names are relative to
  bool may_be_asset_list = false;                     // JSON at this address lists assets (asset_list.hh)
};

/// The addresses that one manifest names, each by itself or by a pattern, in the order of the text. Bounded: throws
/// ManifestError beyond kMostAddresses, kMostAddressBytes or kMostPatterns.
class Announcements {
 public:
  /// The first announcement of an address counts, unless it is kOther, or media of no list.
  void add(const Address& address, Announcement announcement);
  /// All names that `upstream` can become. `local` has the same fields, and stands behind the prefix. `query` is the
  /// numbered one.
  void add(NamePattern local, NamePattern upstream, std::string query, Announcement announcement);
  /// These queries stand behind others in addresses, and have numbers of their own.
  void use_queries(std::span<const std::string> queries) { queries_.insert(queries.begin(), queries.end()); }

  struct Match {
    std::string url;
    const Announcement* announcement;
  };
  std::optional<Match> find(const LocalNames::Asked& asked) const;
  const Announcement* find(const std::string& url) const;

  /// Keeps `most` of the addresses that only the manifest before this one named, the latest ones. A
  /// delta update leaves some of them out that are listed all the same.
  void keep(Announcements before, std::size_t most, bool is_delta = false);

  std::size_t address_count() const { return order_.size(); }
  std::size_t bytes() const { return bytes_; }
  void collect_queries(std::unordered_set<std::string>& used) const;

 private:
  struct Named {
    Announcement announcement;
    std::string query;
  };
  struct Pattern {
    NamePattern local, upstream;
    std::string query;
    Announcement announcement;
  };
  using Entry = std::pair<const std::string, Named>;

  void insert(std::string url, const std::string& query, Announcement announcement);
  void insert(Pattern pattern);

  std::unordered_map<std::string, Named> addresses_;
  std::deque<const Entry*> order_;
  std::size_t bytes_ = 0;
  std::vector<Pattern> patterns_;
  std::unordered_set<std::string> pattern_texts_;  // of `local`
  PatternTable local_, upstream_;
  std::unordered_set<std::string> queries_, queries_before_;
};

}  // namespace tributary::proxy
