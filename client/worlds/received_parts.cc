#include "worlds/received_parts.hh"

#include <cstring>
#include <utility>

namespace tributary {

void ReceivedParts::start(const action::StartSegment& start) {
  requested_.start(start);
  auto& buffers = bytes_[start.segment];
  for (const SegmentPart& part : requested_.parts(start.segment)) {
    buffers.emplace_back(static_cast<std::size_t>(part.size().bytes()));
  }
}

RequestedParts::Target ReceivedParts::send(const action::SendRequest& send) {
  if (send.afresh) {
    std::erase_if(receiving_, [&](const auto& entry) {
      return entry.second.segment == send.segment && entry.second.part == send.part;
    });
  }
  receiving_[send.request] = {send.segment, send.part};
  return requested_.target(send);
}

std::optional<ReceivedParts::Place> ReceivedParts::store(const transport::BodyReceived& body) {
  const auto found = receiving_.find(body.id);
  if (found == receiving_.end())
    return std::nullopt;  // its segment is delivered already: another request brought the same bytes
  const Receiving& receiving = found->second;
  const DataSize part_begin = requested_.parts(receiving.segment)[receiving.part].resource.range.begin;
  auto& buffer = bytes_.at(receiving.segment)[receiving.part];
  const DataSize offset = body.offset - part_begin;
  std::memcpy(buffer.data() + offset.bytes(), body.bytes.data(), body.bytes.size());
  return Place{receiving.segment, receiving.part, offset};
}

std::vector<MediaPart> ReceivedParts::take(SegmentIndex segment) {
  std::vector<MediaPart> media;
  const std::vector<SegmentPart>& parts = requested_.parts(segment);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    media.push_back({parts[i].track, table_.presentation().tracks[parts[i].track].kind, parts[i].init,
                     std::move(bytes_.at(segment)[i])});
  }
  forget(segment);
  return media;
}

void ReceivedParts::forget(SegmentIndex segment) {
  bytes_.erase(segment);
  std::erase_if(receiving_, [&](const auto& entry) { return entry.second.segment == segment; });
  requested_.forget(segment);
}

DataSize ReceivedParts::size() const {
  DataSize total;
  for (const auto& [segment, parts] : bytes_) {
    for (const auto& part : parts) total += size_of(part);
  }
  return total;
}

}  // namespace tributary
