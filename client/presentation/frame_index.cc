#include "presentation/frame_index.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

FrameKind read_kind(const JsonNode& kinds, char letter) {
  for (const FrameKind kind :
       {FrameKind::kI, FrameKind::kP, FrameKind::kBReference, FrameKind::kBDisposable}) {
    if (static_cast<char>(kind) == letter) return kind;
  }
  kinds.refuse(fmt::format("\"{}\" is not one of I, P, B, b", letter));
}

std::vector<Frame> read_segment(const JsonNode& node, DataSize size) {
  const JsonNode kinds = node.member("kinds"), bytes = node.member("bytes");
  const std::string letters = kinds.text();
  if (letters.empty()) kinds.refuse("the segment has no frame");
  if (bytes.size() != letters.size()) {
    bytes.refuse(fmt::format("{} sizes, but \"kinds\" has {} frames", bytes.size(), letters.size()));
  }
  DataSize end{node.member("offset").integer("an offset in the segment", 0, size.bytes())};
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::int64_t room = (size - end).bytes();
    const std::string what =
        fmt::format("a size of a frame in the {} bytes that are left of the segment", room);
    const DataSize begin = end;
    end += DataSize{bytes.element(i).integer(what, 1, room)};
    frames.push_back({read_kind(kinds, letters[i]), {begin, end}});
  }
  return frames;
}

}  // namespace

FrameIndex read_frame_index(std::string_view text, const Track& track) {
  const nlohmann::json document = parse_json(text);
  const JsonNode root{document, ""};
  const JsonNode format = root.member("format");
  if (format.text() != kFrameIndexFormat) format.refuse(fmt::format("not \"{}\"", kFrameIndexFormat));
  root.member("version").integer(fmt::format("a version that is known (only {} is)", kFrameIndexVersion),
                                 kFrameIndexVersion, kFrameIndexVersion);
  const JsonNode segments = root.member("segments");
  if (segments.size() != track.sizes.size()) {
    segments.refuse(fmt::format("{} segments, but {} has {}", segments.size(), track.id, track.sizes.size()));
  }
  FrameIndex index;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    index.push_back(read_segment(segments.element(i), track.sizes[i]));
  }
  return index;
}

std::string write_frame_index(const FrameIndex& index) {
  nlohmann::ordered_json out;
  out["format"] = kFrameIndexFormat;
  out["version"] = kFrameIndexVersion;
  out["segments"] = nlohmann::ordered_json::array();
  for (const std::vector<Frame>& frames : index) {
    std::string kinds;
    nlohmann::ordered_json bytes = nlohmann::ordered_json::array();
    for (const Frame& frame : frames) {
      kinds += static_cast<char>(frame.kind);
      bytes.push_back(frame.range.size().bytes());
    }
    out["segments"].push_back(
        {{"offset", frames.at(0).range.begin.bytes()}, {"kinds", kinds}, {"bytes", bytes}});
  }
  return out.dump() + "\n";
}

}  // namespace tributary
