#include "segmenter/package/file_key_frames.hh"

#include <algorithm>
#include <limits>
#include <utility>

#include "segmenter/encoders/encoded_source.hh"

namespace tributary::segmenter {
namespace {

struct Picture {
  std::int64_t number;
  bool key;
  bool cut;  // decoding can begin there, and no picture before it is shown behind it
};

bool can_begin(const EncodedPacket& packet, AVCodecID codec) {
  return packet.access == RandomAccess::kSync || (packet.access == RandomAccess::kOpen && codec != AV_CODEC_ID_H264);
}

}  // namespace

KeyFrames key_frames_of(const std::string& path, const std::atomic<bool>& interrupted) {
  EncodedSource source{path, false, interrupted};
  KeyFrames found;
  found.file = source.name();
  std::vector<Picture> pictures;  // in decoding order
  std::int64_t latest = -1;
  while (const auto packet = source.next()) {
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
    const bool cut = packet->number > latest && can_begin(*packet, source.picture()->codec->codec_id);
    pictures.push_back({packet->number, packet->access != RandomAccess::kNone, cut});
    latest = std::max(latest, packet->number);
    found.bytes += static_cast<std::uint64_t>(packet->packet->size);
  }
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();  // of those behind
  for (auto picture = pictures.rbegin(); picture != pictures.rend(); ++picture) {
    found.open_groups = found.open_groups || (picture->key && !(picture->cut && picture->number < earliest));
    if (picture->cut && picture->number < earliest) found.at.push_back(static_cast<std::uint64_t>(picture->number));
    earliest = std::min(earliest, picture->number);
  }
  std::ranges::reverse(found.at);
  found.pictures = static_cast<std::uint64_t>(latest + 1);
  return found;
}

}  // namespace tributary::segmenter
