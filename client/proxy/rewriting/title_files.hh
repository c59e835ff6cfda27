#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "manifests/manifest_kind.hh"
#include "proxy/rewriting/announcements.hh"
#include "proxy/rewriting/ladders.hh"
#include "proxy/rewriting/listings.hh"
#include "proxy/rewriting/live_edge.hh"
#include "proxy/rewriting/local_names.hh"
#include "proxy/rewriting/media_file.hh"
#include "units/utc_time.hh"

namespace tributary::proxy {

/// Where the files of a title are, as its manifests announce them, and by which local names a player asks for them.
/// Manifests pass through as text, and need not be understood: what is encrypted or unknown stays as it is. Fetches
/// nothing, and knows no clock. For one thread.
///
/// Addresses are absolute, and are given back written in one way (address.hh).
class TitleFiles {
 public:
  /// `prefix`: "/1"; every local target of the title is below it. `outside` stands before targets where manifests name
  /// them, and not where players ask: "/token", which the server takes away.
  explicit TitleFiles(std::string prefix, std::string outside = {});
  ~TitleFiles();
  TitleFiles(TitleFiles&&) noexcept;
  TitleFiles& operator=(TitleFiles&&) noexcept;

  struct Rewritten {
    std::string text;
    std::string content_type;
    bool live = false;  // it will change
  };
  /// A manifest with local names. Its files are announced; those of an earlier version of it are for a while.
  /// `asked`: the address that upstream() gave for it; `found`: where it was found, after redirects. The kind follows from
  /// the first bytes. Throws ManifestError with the place.
  Rewritten take_in(const std::string& text, const std::string& found, const std::string& asked);
  Rewritten take_in(const std::string& text, const std::string& url) { return take_in(text, url, url); }

  /// "/1/0/film/high/00001.m4s": the local target of a manifest, or of any other file. Announces it, as a manifest if it
  /// was not announced before. Throws ManifestError for an address that is none.
  std::string local(const std::string& url) { return local(url, FileKind::kManifest); }
  /// The same of a file of another kind.
  std::string local(const std::string& url, FileKind otherwise);
  /// The address of a local target that a manifest announced, with its query, and with the directives of HLS that a
  /// player added to a playlist. Other parameters that a player adds count for nothing. Nothing: none was announced.
  std::optional<std::string> upstream(std::string_view target) const;

  /// kOther for addresses that were not announced.
  FileKind kind(const std::string& url) const;
  /// The file at this address that has these bytes; without a range, one that is all of the address. Nothing: no manifest
  /// lists it, or it has left the window. A segment that is announced by a template, and is not listed yet, has the length
  /// of the last one.
  std::optional<MediaFile> file(const std::string& url, std::optional<ByteRange> range, UtcTime now) const;
  /// The segment behind it in the same rendition. Nothing: it is the last one, or an init segment, or the next one is not
  /// there yet.
  std::optional<MediaFile> next(const MediaFile& file, UtcTime now) const;
  /// How long the origin may hold the answer to this address of a playlist, with the directives of a player.
  Duration held_for(const std::string& url) const;
  /// The init segment of a media playlist, by the address that was asked for. Nothing: it has none, or is none.
  std::optional<MediaFile> init_of(const std::string& playlist, UtcTime now) const;

  // ---- Renditions that can stand for each other (ladders.hh)

  /// The name of a manifest: the address at which it is asked for, without the directives of a player.
  static std::string name_of(const std::string& url);
  /// Those of a manifest; empty if it is not known, or offers no renditions of a picture.
  std::span<const Ladder> ladders(const std::string& manifest) const;
  /// The ladder of which this is the highest rung. Null: there is none.
  const Ladder* ladder_below(const std::string& manifest, std::uint32_t rendition) const;
  /// A name for the renditions among which a player of this file may change: those of its ladder, else its own alone.
  std::string ladder_of(const MediaFile& file) const;
  /// The segments of a rung that are there at `now`, by its first address. Lives until the next call. Null: they are not
  /// known.
  const FileList* segments(const Rung& rung, UtcTime now) const;
  /// The manifest was taken in, and will not change.
  bool is_final(const std::string& manifest) const;

 private:
  struct Manifest {
    Announcements announced;
    std::vector<Ladder> ladders;
    bool live = false;
    std::unique_ptr<Listing> listing;  // null: no segments are known
    std::optional<LiveEdge> edge;      // of a playlist
    std::size_t number = 0;            // of the take_in
  };

  Rewritten take_index(const std::string& text, const Address& found, Manifest& manifest);
  Rewritten take_mpd(const std::string& text, const Base& found, const std::string& key, Manifest& manifest);
  Rewritten take_part(const std::string& text, const std::vector<Base>& around, Manifest& manifest);
  Rewritten take_asset_list(const std::string& text, const Base& found, Manifest& manifest);
  Rewritten take_playlist(const std::string& text, const Base& found, const Address& asked, Manifest& manifest,
                          std::size_t& kept);
  void announce_playlists(const std::string& text, const Base& found, const hls::PlaylistVariables& outside,
                          Manifest& manifest) const;
  FileKind announced_kind(const std::string& url) const;
  template <typename Test>
  Announcement announced_as(const Address& asked, Test test) const;
  void make_room(const std::string& for_key);
  void forget_queries();

  LocalNames names_;
  Announcements given_;                        // by local()
  std::map<std::string, Manifest> manifests_;  // by the address that is asked for, without directives
  std::size_t taken_ = 0;
  std::size_t queries_in_use_ = 0;
};

enum class TitleKind {
  kHls,
  kDash,
  kFile,  // of sound or picture; no manifest
};

/// The manifest of a title that players read, or the file.
struct PlayersManifest {
  std::string url;
  TitleKind kind = TitleKind::kHls;
  bool live = false;               // false also where playlists tell only later
  std::string content_type{};      // of a file
  std::optional<DataSize> size{};  // likewise; nothing: not known yet
};
/// The manifest of HLS, or else that of MPEG-DASH, which an index.json names, for players that do not read the index.
/// Nothing: it names none. Throws ManifestError.
std::optional<PlayersManifest> manifest_for_players(const std::string& index, const std::string& url);

}  // namespace tributary::proxy
