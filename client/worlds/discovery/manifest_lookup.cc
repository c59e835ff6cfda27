#include "worlds/discovery/manifest_lookup.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "manifests/manifest_kind.hh"
#include "units/text/redacted_url.hh"
#include "worlds/discovery/folder_titles.hh"

namespace tributary {
namespace {

std::string nor_in_folder(const std::string& url) {
  if (manifests_in(url).empty()) return "";
  return fmt::format("\n  as a folder, it has none of {}", fmt::join(kManifestNames, ", "));
}

}  // namespace

NoManifestThere::NoManifestThere(const transport::Document& document, const std::string& more)
    : FetchError{FailureReason::kNotFound, redacted(document.url) + ": this is no manifest"},
      url{document.url},
      why{why_no_manifest(document.text, document.content_type) + more},
      content_type{document.content_type},
      media{is_media(document.text, document.content_type)} {}

ManifestLookup::ManifestLookup(std::string url, BatchFetch::Begin begin)
    : url_{std::move(url)}, begin_{std::move(begin)} {
  ask(url_);
}

void ManifestLookup::ask(const std::string& url, std::optional<ByteRange> range) {
  wanted_ = {.url = url, .range = range};
  fetch_.emplace(std::span{&wanted_, 1}, begin_, may_be_manifest);
}

AttemptState ManifestLookup::advance() {
  try {
    const AttemptState state = fetch_->advance();
    if (state != AttemptState::kThere) return state;
    found_ = std::move(fetch_->take().front());
    if (manifest_kind(found_->text) && asks_ != Asks::kFront) return state;
    take_what_is_none(*found_);
  } catch (const transport::FetchError& error) {
    if (asks_ == Asks::kFolder && !no_manifest_ && !is_refusal(error.reason)) throw;
    if (asks_ == Asks::kAddress) refused_ = error;
  }
  if (ask_for_front()) return AttemptState::kAsked;
  if (refused_ && !no_manifest_ && !is_refusal(refused_->reason)) throw transport::FetchError{*refused_};
  if (ask_next_in_folder()) return AttemptState::kAsked;
  if (no_manifest_) throw NoManifestThere{*no_manifest_};
  throw transport::FetchError{refused_->reason, refused_->what() + nor_in_folder(url_), refused_->retry_after};
}

/// The front of a file that is refused tells only that it is sound or picture.
void ManifestLookup::take_what_is_none(const transport::Document& document) {
  if (asks_ == Asks::kFolder) return;
  const NoManifestThere none{document, nor_in_folder(document.url)};
  if (asks_ == Asks::kAddress || none.media) no_manifest_ = none;
}

/// Some servers refuse what is too large for them, as a film may be.
bool ManifestLookup::ask_for_front() {
  constexpr DataSize kFront{16'000};
  if (asks_ != Asks::kAddress || !refused_ || !transport::may_be_too_large(*refused_)) return false;
  asks_ = Asks::kFront;
  ask(url_, ByteRange{DataSize{}, kFront});
  return true;
}

/// A page in the place of a manifest may stand for all that is not there, or be a listing.
bool ManifestLookup::ask_next_in_folder() {
  if (asks_ != Asks::kFolder) {
    const std::vector<std::string> addresses = manifests_in(no_manifest_ ? no_manifest_->url : url_);
    folder_.assign(addresses.begin(), addresses.end());
    asks_ = Asks::kFolder;
  }
  if (folder_.empty()) return false;
  ask(folder_.front());
  folder_.pop_front();
  return true;
}

FoundDocument ManifestLookup::take() { return {wanted_.url, *std::exchange(found_, std::nullopt)}; }

}  // namespace tributary
