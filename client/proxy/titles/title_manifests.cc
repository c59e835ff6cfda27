#include "proxy/titles/title_manifests.hh"

#include <fmt/format.h>

#include <utility>

#include "manifests/manifest.hh"
#include "proxy/rewriting/mpd_rewriting.hh"
#include "proxy/rewriting/playlist_rewriting.hh"
#include "units/text/redacted_url.hh"

namespace tributary::proxy {

bool is_dash(const TitleFiles::Rewritten& manifest) { return manifest.content_type.find("dash") != std::string::npos; }

TitleManifests::TitleManifests(std::string prefix, const std::string& outside, const PlayersManifest& manifest)
    : url_{manifest.url},
      files_{std::move(prefix), outside},
      facts_{.kind = manifest.kind, .live = manifest.live, .error = {}, .not_led = {}},
      target_{files_.local(url_, manifest.kind == TitleKind::kFile ? FileKind::kMedia : FileKind::kManifest)} {}

TitleManifests::Facts TitleManifests::facts() const {
  const std::lock_guard lock{mutex_};
  return facts_;
}

std::optional<TitleManifests::Asked> TitleManifests::asked(const std::string& target) const {
  const std::lock_guard lock{mutex_};
  const auto url = files_.upstream(target);
  return url ? std::optional{Asked{*url, files_.kind(*url)}} : std::nullopt;
}

std::optional<TitleFiles::Rewritten> TitleManifests::take_in(const std::string& asked,
                                                             const Documents::Fetched& fetched) {
  const std::lock_guard lock{mutex_};
  if (!fetched.file) {
    facts_.error = fetched.why;
    return std::nullopt;
  }
  try {
    TitleFiles::Rewritten rewritten = files_.take_in(fetched.file->bytes, fetched.file->url, asked);
    facts_.error.clear();
    facts_.live = facts_.live || rewritten.live;
    return rewritten;
  } catch (const ManifestError& error) {
    facts_.error = fmt::format("{}: {}", redacted(fetched.file->url), error.what());
    return std::nullopt;
  }
}

std::optional<MediaFile> TitleManifests::file(const std::string& url, std::optional<ByteRange> range,
                                              UtcTime now) const {
  const std::lock_guard lock{mutex_};
  return files_.file(url, range, now);
}

std::optional<MediaFile> TitleManifests::next(const MediaFile& file, UtcTime now) const {
  const std::lock_guard lock{mutex_};
  return files_.next(file, now);
}

Duration TitleManifests::held_for(const std::string& url) const {
  const std::lock_guard lock{mutex_};
  return files_.held_for(url);
}

std::optional<MediaFile> TitleManifests::init_of(const std::string& playlist, UtcTime now) const {
  const std::lock_guard lock{mutex_};
  return files_.init_of(playlist, now);
}

std::string TitleManifests::ladder_of(const MediaFile& file) const {
  const std::lock_guard lock{mutex_};
  return files_.ladder_of(file);
}

std::vector<MediaFile> TitleManifests::qualities(const MediaFile& file, UtcTime now) const {
  const std::lock_guard lock{mutex_};
  return leading_.qualities(file, now);
}

std::optional<DataRate> TitleManifests::bitrate_of(const SpendFor& spend_for) const {
  const std::lock_guard lock{mutex_};
  return spend_for.bitrate(files_.ladders(TitleFiles::name_of(url_)));
}

// ---- Lead mode

std::vector<std::string> TitleManifests::playlists_for(const std::string& manifest) const {
  const std::lock_guard lock{mutex_};
  return leading_.playlists_for(manifest);
}

void TitleManifests::look_at(const std::string& playlist, const FetchedFile& fetched) {
  const std::lock_guard lock{mutex_};
  try {
    (void)files_.take_in(fetched.bytes, fetched.url, playlist);
  } catch (const ManifestError&) {  // nothing stands in from it
  }
}

std::vector<Leading::Doubt> TitleManifests::doubts(const std::string& manifest, UtcTime now) const {
  const std::lock_guard lock{mutex_};
  return leading_.doubts(manifest, now);
}

void TitleManifests::judge(const Leading::Doubt& doubt, std::optional<std::string> why_not) {
  const std::lock_guard lock{mutex_};
  leading_.judge(doubt, std::move(why_not));
}

std::optional<std::vector<Rung>> TitleManifests::lead(const std::string& manifest, TitleFiles::Rewritten& rewritten,
                                                      UtcTime now) {
  const std::lock_guard lock{mutex_};
  if (files_.ladders(manifest).empty()) {
    if (manifest == TitleFiles::name_of(url_)) facts_.not_led = "it has one quality";
    return std::nullopt;
  }
  const Leading::Offer offer = leading_.offer(manifest, now);
  facts_.not_led = offer.why_not.value_or("");
  if (offer.why_not) return std::nullopt;
  rewritten.text = is_dash(rewritten) ? without_representations(rewritten.text, offer.left_out)
                                      : without_variants(rewritten.text, offer.left_out);
  return leading_.rungs(manifest, now);
}

}  // namespace tributary::proxy
