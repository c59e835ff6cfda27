#include "worlds/received_parts.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "media/aes_decryption.hh"
#include "presentation/segment_limits.hh"

namespace tributary {

void ReceivedParts::start(const action::StartSegment& start) {
  requested_.start(start);
  auto& buffers = bytes_[start.segment];
  for (const SegmentPart& part : requested_.parts(start.segment)) {
    Part& begun =
        buffers.emplace_back(Part{.keep = keep_ || part.init || part.resource.cipher, .most = largest_of(part.size())});
    if (!part.resource.estimated) begun.reserve(part.size());
  }
}

/// Room that is reserved is no memory before bytes are there.
void ReceivedParts::Part::reserve(DataSize wanted) {
  if (keep) bytes.reserve(static_cast<std::size_t>(std::min(wanted, kLargestSegment).bytes()));
}

void ReceivedParts::Part::end_at(std::size_t end) {
  size = end;
  if (keep) grow_to(bytes, end, static_cast<std::size_t>(most.bytes()));
}

ReceivedParts::Part* ReceivedParts::part_of(RequestId id) {
  const OutstandingRequest* request = requests_.find(id);
  if (request == nullptr || request->abandoned) return nullptr;
  const auto buffers = bytes_.find(request->segment);
  if (buffers == bytes_.end()) return nullptr;  // it is delivered: another request brought the same bytes
  return &buffers->second[request->part];
}

void ReceivedParts::learn_size(RequestId id, DataSize size) {
  Part* const part = part_of(id);
  if (part == nullptr) return;
  part->reserve(size);
  part->end_at(std::min(part->size, static_cast<std::size_t>(size.bytes())));
}

void ReceivedParts::finish(RequestId id) {
  Part* part = part_of(id);
  if (part != nullptr && requests_.find(id)->to_the_end) part->end_at(part->last_by == id ? part->last_end : 0);
}

void ReceivedParts::fail(RequestId id) {
  Part* const part = part_of(id);
  if (part == nullptr || !requests_.find(id)->to_the_end) return;
  const OutstandingRequest& failed = *requests_.find(id);
  const bool others_bring_it = std::ranges::any_of(requests_.all(), [&](const OutstandingRequest& other) {
    return other.id != id && !other.abandoned && other.segment == failed.segment && other.part == failed.part;
  });
  if (!others_bring_it) *part = Part{.keep = part->keep, .most = part->most};
}

std::optional<ReceivedParts::Place> ReceivedParts::store(const transport::BodyReceived& body) {
  Part* part = part_of(body.id);
  if (part == nullptr) return std::nullopt;
  const OutstandingRequest* request = requests_.find(body.id);
  const DataSize part_begin = requested_.parts(request->segment)[request->part].resource.range.begin;
  const DataSize offset = body.offset - part_begin;
  const auto end = static_cast<std::size_t>(offset.bytes()) + body.bytes.size();
  if (end > part->size) part->end_at(end);
  if (part->keep) std::memcpy(part->bytes.data() + offset.bytes(), body.bytes.data(), body.bytes.size());
  part->last_by = body.id;
  part->last_end = end;
  return Place{request->segment, request->part, offset};
}

std::optional<ReceivedParts::Init> ReceivedParts::init_of(RequestId id) const {
  const OutstandingRequest* const request = requests_.find(id);
  const auto buffers = request == nullptr || request->abandoned ? bytes_.end() : bytes_.find(request->segment);
  if (buffers == bytes_.end()) return std::nullopt;
  const SegmentPart& part = requested_.parts(request->segment)[request->part];
  if (!part.init || part.resource.cipher) return std::nullopt;
  return Init{part.track, buffers->second[request->part].bytes};
}

std::vector<MediaPart> ReceivedParts::take(SegmentIndex segment) {
  std::vector<MediaPart> media;
  for (Part& received : bytes_.at(segment)) media.push_back(part(segment, media.size(), std::move(received.bytes)));
  forget(segment);
  return media;
}

std::vector<MediaPart> ReceivedParts::others(SegmentIndex segment) const {
  std::vector<MediaPart> media;
  for (std::size_t i = 0; i + 1 < requested_.parts(segment).size(); ++i)
    media.push_back(part(segment, i, bytes_.at(segment)[i].bytes));
  return media;
}

MediaPart ReceivedParts::part(SegmentIndex segment, std::size_t index, MediaBytes bytes) const {
  const SegmentPart& part = requested_.parts(segment)[index];
  const Track& track = table_.presentation().tracks[part.track];
  const DataSize size{static_cast<std::int64_t>(bytes_.at(segment)[index].size)};
  if (const auto& cipher = part.resource.cipher) {
    try {
      bytes = decrypted(std::move(bytes), *cipher);
    } catch (const DecryptionError& error) {
      throw DecryptionError{fmt::format("{} {} of {}: {}", part.init ? "the init segment of segment" : "segment",
                                        to_index(part.segment) + 1, track.id, error.what())};
    }
  }
  return {part.track, track.kind, part.init, std::move(bytes), part.segment, size};
}

MediaPart ReceivedParts::as_picture(SegmentIndex segment, MediaBytes bytes) const {
  const SegmentPart& part = requested_.parts(segment).back();
  const DataSize size = size_of(bytes);
  return {part.track, table_.presentation().tracks[part.track].kind, false, std::move(bytes), part.segment, size};
}

void ReceivedParts::forget(SegmentIndex segment) {
  bytes_.erase(segment);
  requested_.forget(segment);
}

DataSize ReceivedParts::size() const {
  DataSize total;
  for (const auto& [segment, parts] : bytes_) {
    for (const auto& part : parts) total += DataSize{static_cast<std::int64_t>(part.size)};
  }
  return total;
}

}  // namespace tributary
