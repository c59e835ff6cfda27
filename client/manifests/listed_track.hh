#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "presentation/segments/segment_table.hh"
#include "transport/connections/origin.hh"

namespace tributary {

/// Stands for a bitrate that a manifest does not state.
constexpr DataRate kUnstatedBitrate = DataRate::bits_per_second(1e6);

// What a title may ask of memory and time: bounds on manifests that are hostile.
inline constexpr std::size_t kMostTracks = 64;                  // of pictures; as many of sound may be beside them
inline constexpr std::size_t kMostSegmentsOfTitle = 2'000'000;  // of all tracks; 24 hours of 20 tracks have a million

/// Resolves a URI against an absolute address. Throws ManifestError.
std::string absolute_url(const std::string& base, const std::string& uri);

/// The same for many URIs of one document, in a part of the time: remembers the last base.
class UrlResolver {
 public:
  std::string operator()(const std::string& base, const std::string& uri);

 private:
  std::string base_;
  std::optional<transport::FileLocation> location_;
};

/// A segment as a manifest lists it.
struct ListedSegment {
  std::string url;                       // absolute
  std::optional<ByteRange> range;        // nothing: the whole file, whose size is not stated
  std::int64_t start = 0, duration = 0;  // ticks of the track
  std::optional<DataRate> bitrate = {};  // if it states one of its own
  std::optional<Cipher> cipher = {};
  std::optional<FilePiece> piece = {};
  bool continues = false;     // Track::does_continue
  std::uint32_t stretch = 0;  // live: the number of the stretch that it is in; later ones have greater numbers
};

/// The segment as those know it who stream it. `ticks`: its duration, with a hole that belongs to it. `place` is for
/// errors. Throws ManifestError for a file that is too large to be kept in memory.
TrackSegment track_segment(const Track& track, const ListedSegment& segment, std::uint64_t ticks,
                           const std::string& place);

/// Sets places, times and sizes of the track, whose timescale and bitrate are set. A hole behind a segment belongs to it;
/// of segments that overlap, the later one begins where it says. `place` is for errors. Throws ManifestError: without a
/// segment, for times that go back, and for a file that is too large to be kept in memory.
void set_segments(Track& track, const std::vector<ListedSegment>& segments, const std::string& place);

std::size_t count_segments(const std::vector<Track>& tracks);
/// Throws ManifestError if these are more segments than a title may have.
void check_segments(std::size_t segments);

/// The file at this address, or a range of it.
Resource file_at(std::string url, std::optional<ByteRange> range);
/// The same of an init segment, with an estimate where its size is not stated.
Resource init_section(std::string url, std::optional<ByteRange> range);

/// Why segments of `track` cannot stand in place of those of `other`, another quality of the same scenes. Nothing if they
/// can.
std::optional<std::string> why_not_switchable(const Track& track, const Track& other);

/// Whether thumbnails of width `a` are better to look at than those of width `b`: the least that is wide enough, or else
/// the widest. Pixels of one thumbnail; 0: unknown.
bool is_better_thumbnail(int a, int b);

/// Names for tracks: what a manifest calls them, where that is fit for the name of a folder, each once.
class TrackNames {
 public:
  std::string take(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace tributary
