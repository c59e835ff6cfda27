#include "presentation/json/frame_index.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "presentation/json/json_node.hh"

namespace tributary {
namespace {

FrameKind read_kind(const JsonNode& kinds, char letter) {
  for (const FrameKind kind : {FrameKind::kI, FrameKind::kP, FrameKind::kBReference, FrameKind::kBDisposable}) {
    if (static_cast<char>(kind) == letter) return kind;
  }
  kinds.refuse(fmt::format("\"{}\" is not one of I, P, B, b", letter));
}

/// The frames of a chunk, which lies behind those before.
void read_chunk(const JsonNode& node, DataSize size, std::vector<Frame>& frames) {
  const JsonNode kinds = node.member("kinds"), bytes = node.member("bytes");
  const std::string letters = kinds.text();
  if (letters.empty()) kinds.refuse("no frame");
  if (bytes.size() != letters.size()) {
    bytes.refuse(fmt::format("{} sizes, but \"kinds\" has {} frames", bytes.size(), letters.size()));
  }
  DataSize end = frames.empty() ? DataSize{} : frames.back().range.end;
  end = DataSize{
      node.member("offset").integer("an offset in the segment, behind what comes before", end.bytes(), size.bytes())};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::int64_t room = (size - end).bytes();
    const std::string what = fmt::format("a size of a frame in the {} bytes that are left of the segment", room);
    const DataSize begin = end;
    end += DataSize{bytes.element(i).integer(what, 1, room)};
    frames.push_back({read_kind(kinds, letters[i]), {begin, end}});
  }
}

std::vector<Frame> read_segment(const JsonNode& chunks, DataSize size) {
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < chunks.size(); ++i) read_chunk(chunks.element(i), size, frames);
  if (frames.empty()) chunks.refuse("the segment has no frame");
  return frames;
}

nlohmann::ordered_json write_segment(const std::vector<Frame>& frames) {
  nlohmann::ordered_json chunks = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < frames.size();) {
    std::string kinds;
    nlohmann::ordered_json bytes = nlohmann::ordered_json::array();
    const DataSize offset = frames[i].range.begin;
    do {
      kinds += static_cast<char>(frames[i].kind);
      bytes.push_back(frames[i].range.size().bytes());
      ++i;
    } while (i < frames.size() && frames[i].range.begin == frames[i - 1].range.end);
    chunks.push_back({{"offset", offset.bytes()}, {"kinds", kinds}, {"bytes", bytes}});
  }
  return chunks;
}

}  // namespace

FrameIndex read_frame_index(std::string_view text, const Track& track) {
  const nlohmann::json document = parse_json(text);
  const JsonNode root{document, ""};
  root.expect_format(kFrameIndexFormat, kFrameIndexVersion);
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
  for (const std::vector<Frame>& frames : index) out["segments"].push_back(write_segment(frames));
  return out.dump() + "\n";
}

}  // namespace tributary
