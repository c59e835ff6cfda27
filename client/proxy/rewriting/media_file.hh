#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "units/byte_range.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// A segment or init segment as a manifest lists it.
struct MediaFile {
  std::string url{};                 // absolute
  std::optional<ByteRange> range{};  // nothing: the whole file
  Duration duration{};
  std::optional<DataSize> size{};  // nothing: no manifest states it
  DataSize estimate{};             // the size, or about as much
  bool init = false;
  std::string manifest{};   // that lists it, as it was asked for
  std::string rendition{};  // the same for all files of one

  bool operator==(const MediaFile&) const = default;
};

/// The files of one rendition in the order in which they are played, and where each of them is in it.
class FileList {
 public:
  FileList() = default;
  explicit FileList(std::vector<MediaFile> files);

  const std::vector<MediaFile>& files() const { return files_; }
  /// The file at this address that has all bytes of `range`, or all bytes if there is none. Nothing: there is none.
  std::optional<std::size_t> find(std::string_view url, const std::optional<ByteRange>& range) const;

 private:
  std::vector<MediaFile> files_;
  std::unordered_multimap<std::string, std::size_t> places_;  // by address
};

}  // namespace tributary::proxy
