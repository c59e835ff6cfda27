#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/action.hh"
#include "core/requests/outstanding_requests.hh"
#include "sink/segment_sink.hh"
#include "transport/http_transport.hh"
#include "worlds/requested_parts.hh"

namespace tributary {

/// Keeps the bytes of the segments that are being received, each where it belongs. A world tells it the actions in
/// order.
class ReceivedParts {
 public:
  /// `requests`: those of the session. Table and requests must outlive it.
  ReceivedParts(const SegmentTable& table, const OutstandingRequests& requests)
      : table_{table}, requests_{requests}, requested_{table} {}

  void start(const action::StartSegment& start);
  const RequestedParts& requested() const { return requested_; }
  struct Place {
    SegmentIndex segment{};
    std::uint32_t part = 0;
    DataSize offset;
  };
  /// The answer to this request tells the size of its part.
  void learn_size(RequestId request, DataSize size);
  /// The request is done. If it was for all up to the end of its part, that is where its bytes end.
  void finish(RequestId request);
  /// Where the bytes belong; nothing if nobody wants them any more.
  std::optional<Place> store(const transport::BodyReceived& body);
  /// The segment as it is, decrypted, which is not kept any longer. Throws DecryptionError, with the segment.
  std::vector<MediaPart> take(SegmentIndex segment);
  void forget(SegmentIndex segment);

  /// The bytes that are held of segments that are not complete.
  DataSize size() const;

 private:
  struct Part {
    std::vector<std::byte> bytes;
    std::optional<RequestId> last_by{};  // who brought bytes last
    std::size_t last_end = 0;
  };

  /// Nothing if nobody wants what the request brings.
  Part* part_of(RequestId request);

  const SegmentTable& table_;
  const OutstandingRequests& requests_;
  RequestedParts requested_;
  std::map<SegmentIndex, std::vector<Part>> bytes_;
};

}  // namespace tributary
