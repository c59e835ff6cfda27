#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "proxy/leading/leading.hh"
#include "proxy/rewriting/title_files.hh"
#include "proxy/titles/documents.hh"
#include "proxy/titles/spend_for.hh"

namespace tributary::proxy {

/// The manifests of a title as players get them, the files that they name, and, in lead mode, which of these stand for
/// each other. Fetches nothing. Thread-safe.
class TitleManifests {
 public:
  /// `prefix`: of targets ("/1"). `outside`: stands before these in addresses ("/TOKEN"). Throws ManifestError for an
  /// address that is none.
  TitleManifests(std::string prefix, const std::string& outside, const PlayersManifest& manifest);

  /// Of the first manifest.
  const std::string& url() const { return url_; }
  const std::string& target() const { return target_; }
  struct Facts {
    TitleKind kind = TitleKind::kHls;
    bool live = false;
    std::string error;    // the last one of a manifest; empty: it can be had
    std::string not_led;  // lead mode: why the player chooses the quality all the same
  };
  Facts facts() const;

  struct Asked {
    std::string url;
    FileKind kind{};
  };
  /// The file of a local target. Nothing: no manifest names it.
  std::optional<Asked> asked(const std::string& target) const;
  /// A manifest of this address, for players. Nothing: facts().error says why.
  std::optional<TitleFiles::Rewritten> take_in(const std::string& asked, const Documents::Fetched& fetched);

  // As TitleFiles and Leading tell them.
  std::optional<MediaFile> file(const std::string& url, std::optional<ByteRange> range, UtcTime now) const;
  std::optional<MediaFile> next(const MediaFile& file, UtcTime now) const;
  Duration held_for(const std::string& url) const;
  std::optional<MediaFile> init_of(const std::string& playlist, UtcTime now) const;
  std::string ladder_of(const MediaFile& file) const;
  std::vector<MediaFile> qualities(const MediaFile& file, UtcTime now) const;
  /// The bitrate that is spent for, by the first manifest.
  std::optional<DataRate> bitrate_of(const SpendFor& spend_for) const;

  // ---- Lead mode

  std::vector<std::string> playlists_for(const std::string& manifest) const;
  /// Takes in a playlist that players do not get. If it cannot be read, nothing stands in from it.
  void look_at(const std::string& playlist, const FetchedFile& fetched);
  std::vector<Leading::Doubt> doubts(const std::string& manifest, UtcTime now) const;
  void judge(const Leading::Doubt& doubt, std::optional<std::string> why_not);
  /// Leaves all renditions of a picture but one out of the manifest, if the others can stand for it. Returns these, the
  /// lowest first; nothing: the player chooses.
  std::optional<std::vector<Rung>> lead(const std::string& manifest, TitleFiles::Rewritten& rewritten, UtcTime now);

 private:
  const std::string url_;
  mutable std::mutex mutex_;  // of what follows
  TitleFiles files_;
  Leading leading_{files_};
  Facts facts_;
  const std::string target_;
};

/// As HLS or MPEG-DASH.
bool is_dash(const TitleFiles::Rewritten& manifest);

}  // namespace tributary::proxy
