#include "worlds/discovery/manifest_lookup.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "manifests/manifest_kind.hh"
#include "units/redacted_url.hh"
#include "worlds/discovery/folder_titles.hh"

namespace tributary {
namespace {

bool refuses_the_address(const transport::FetchError& error) {
  return error.reason == FailureReason::kNotFound || error.reason == FailureReason::kUnauthorized;
}

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

void ManifestLookup::ask(const std::string& url) {
  wanted_ = {.url = url, .range = std::nullopt};
  fetch_.emplace(std::span{&wanted_, 1}, begin_, may_be_manifest);
}

AttemptState ManifestLookup::advance() {
  try {
    const AttemptState state = fetch_->advance();
    if (state != AttemptState::kThere) return state;
    found_ = std::move(fetch_->take().front());
    if (manifest_kind(found_->text)) return state;
    if (!folder_) no_manifest_.emplace(*found_, nor_in_folder(found_->url));
  } catch (const transport::FetchError& error) {
    if (!refuses_the_address(error)) throw;
    if (!folder_) refused_ = error;
  }
  if (ask_next_in_folder()) return AttemptState::kAsked;
  if (no_manifest_) throw NoManifestThere{*no_manifest_};
  throw transport::FetchError{refused_->reason, refused_->what() + nor_in_folder(url_), refused_->retry_after};
}

/// A page in the place of a manifest may stand for all that is not there, or be a listing.
bool ManifestLookup::ask_next_in_folder() {
  if (!folder_) {
    const std::vector<std::string> addresses = manifests_in(no_manifest_ ? no_manifest_->url : url_);
    folder_.emplace(addresses.begin(), addresses.end());
  }
  if (folder_->empty()) return false;
  ask(folder_->front());
  folder_->pop_front();
  return true;
}

FoundDocument ManifestLookup::take() { return {wanted_.url, *std::exchange(found_, std::nullopt)}; }

}  // namespace tributary
