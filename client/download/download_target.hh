#pragma once

#include <memory>
#include <optional>
#include <string>

#include "download/files/download_state.hh"
#include "download/files/in_place_file.hh"
#include "download/options/get_options.hh"
#include "transport/connections/origin.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// The place for an object, and what an earlier download left there.
struct DownloadTarget {
  std::string usual;  // the name by the server or the URL; empty: the user gave one, or there is none
  std::string named;  // the file that this becomes
  std::string path;   // of that, behind symbolic links
  std::unique_ptr<InPlaceFile> in_place;  // nothing if the object becomes a file
  std::optional<DownloadState> left_behind{};
  std::optional<DataSize> whole{};  // the size of a file that may be whole: no part of it is there

  /// Of what was left behind; nothing if nothing is missing.
  std::optional<DataSize> first_missing() const;
};

/// By the options and the URL. Throws GetError, WriteError.
DownloadTarget target_of(const GetOptions& options, const transport::FileLocation& location);

/// Without `-o FILE`, the server's name for the object is better than the last part of the URL, unless that is there to be
/// continued. Throws GetError if there is no name at all; GetError, WriteError.
void take_name(const transport::ObjectHead& head, const GetOptions& options, DownloadTarget& target);

}  // namespace tributary
