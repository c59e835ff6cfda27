#pragma once

#include <deque>
#include <optional>
#include <string>

#include "worlds/discovery/batch_fetch.hh"

namespace tributary {

/// An answer came, and it was no manifest.
struct NoManifestThere : transport::FetchError {
  NoManifestThere(const transport::Document& document, const std::string& more);

  std::string url;  // where it was found
  std::string why;
  std::string content_type;
  bool media;  // it seems to be sound or picture
};

struct FoundDocument {
  std::string asked;  // the address, or one of those in the folder
  DatedDocument document;
};

/// Looks for a manifest over one link: at an address, and else in the folder that may be there (folder_titles.hh). Each link
/// asks on its own, so that a silent one keeps no other from an answer. Of an address that is refused, the front may be had:
/// then it tells whether sound or picture is there.
class ManifestLookup {
 public:
  /// Begins.
  ManifestLookup(std::string url, BatchFetch::Begin begin);

  /// To be called whenever the fetch may have got on. Throws transport::FetchError if the address and its folder have no
  /// manifest, or if the link fails.
  AttemptState advance();
  /// Once, when it is there.
  FoundDocument take();

 private:
  enum class Asks { kAddress, kFront, kFolder };  // one after the other; the front of what is refused

  void ask(const std::string& url, std::optional<ByteRange> range = std::nullopt);
  void take_what_is_none(const transport::Document& document);
  bool ask_for_front();
  bool ask_next_in_folder();

  const std::string url_;
  const BatchFetch::Begin begin_;
  WantedFile wanted_;
  std::optional<BatchFetch> fetch_;
  std::optional<DatedDocument> found_;
  std::optional<NoManifestThere> no_manifest_;    // at the address itself
  std::optional<transport::FetchError> refused_;  // likewise
  Asks asks_ = Asks::kAddress;
  std::deque<std::string> folder_;  // addresses that are still to be asked
};

}  // namespace tributary
