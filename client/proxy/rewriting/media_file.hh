#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "units/byte_range.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::proxy {

/// Which list of its manifest a file is in.
struct ListPlace {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t rendition = kNone;
  std::uint32_t base = 0;  // of the addresses that stand for each other
  bool queries = false;    // with those that an MPD adds
  bool parts = false;      // the partial segments of a playlist of HLS

  auto operator<=>(const ListPlace&) const = default;
};

/// Where a segment is among those of its rendition, and what decodes it.
struct GridPlace {
  std::uint64_t number = 0;  // as the manifest counts
  /// When it begins: in its period, in a playlist that has ended, or since 1970 by the dates of a playlist. Nothing: the
  /// manifest does not say.
  std::optional<Duration> at{};
  std::optional<std::size_t> init;  // in the list
  std::string key{};                // that decrypts it, with its vector; empty: it is in the clear

  bool operator==(const GridPlace&) const = default;
};

/// A segment or init segment as a manifest lists it.
struct MediaFile {
  std::string url{};                 // absolute
  std::optional<ByteRange> range{};  // nothing: the whole file
  Duration duration{};
  std::optional<DataSize> size{};  // nothing: no manifest states it
  DataSize estimate{};             // the size, or about as much
  bool init = false;
  bool announced = false;               // not made yet: the origin holds an answer until it is (EXT-X-PRELOAD-HINT)
  std::optional<UtcTime> made_until{};  // it can be had while it is made; nothing: it is there whole
  std::string manifest{};               // that lists it, as it was asked for
  std::string rendition{};              // the same for all files of one
  ListPlace place{};
  GridPlace grid{};

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
  /// The segment that has the same media as one of another list: it begins and ends with it, or, if the manifest does not
  /// say when, it has the same number and length. Null: there is none.
  const MediaFile* same_as(const MediaFile& other) const;

 private:
  std::vector<MediaFile> files_;
  std::unordered_multimap<std::string, std::size_t> places_;  // by address
};

}  // namespace tributary::proxy
