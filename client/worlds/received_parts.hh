#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/action.hh"
#include "core/requests/outstanding_requests.hh"
#include "sink/segment_sink.hh"
#include "transport/http_transport.hh"
#include "worlds/requested_parts.hh"

namespace tributary {

/// Keeps the bytes of the segments that are being received, each where it belongs. A world tells it the actions in
/// order. A size that is stated takes no memory: what takes memory is a byte that has come (media_bytes.hh).
class ReceivedParts {
 public:
  /// `requests`: those of the session. Table and requests must outlive it. `keep`: false if take() need not bring bytes,
  /// other than those that are encrypted.
  ReceivedParts(const SegmentTable& table, const OutstandingRequests& requests, bool keep = true)
      : table_{table}, requests_{requests}, requested_{table}, keep_{keep} {}

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
  /// The request has failed. If it was for all of a part, up to its end, what it brought is of no use.
  void fail(RequestId request);
  /// Where the bytes belong; nothing if nobody wants them any more.
  std::optional<Place> store(const transport::BodyReceived& body);
  /// An init segment that the request has brought, and its track; nothing if it brought another part, or a part of one.
  struct Init {
    std::size_t track = 0;
    std::span<const std::byte> bytes;
  };
  std::optional<Init> init_of(RequestId request) const;
  /// The segment as it is, decrypted, which is not kept any longer. Throws DecryptionError, with the segment.
  std::vector<MediaPart> take(SegmentIndex segment);
  void forget(SegmentIndex segment);

  // ---- Of a segment that plays while it comes

  /// The last part is the picture.
  bool is_picture(const Place& place) const { return place.part + 1 == requested_.parts(place.segment).size(); }
  /// Up to the last byte that came.
  std::span<const std::byte> picture(SegmentIndex segment) const { return bytes_.at(segment).back().bytes; }
  /// All other parts.
  std::vector<MediaPart> others(SegmentIndex segment) const;
  /// These bytes as its picture.
  MediaPart as_picture(SegmentIndex segment, MediaBytes bytes) const;

  /// Of the segments that are not complete, up to the last byte that came of each part.
  DataSize size() const;

 private:
  struct Part {
    bool keep = true;
    DataSize most{};                     // if it is of the usual kind
    MediaBytes bytes{};                  // up to the last that came, if they are kept
    std::size_t size = 0;                // the same
    std::optional<RequestId> last_by{};  // who brought bytes last
    std::size_t last_end = 0;

    void end_at(std::size_t end);
    void reserve(DataSize wanted);
  };

  /// Nothing if nobody wants what the request brings.
  Part* part_of(RequestId request);
  /// The part with these bytes, which are decrypted.
  MediaPart part(SegmentIndex segment, std::size_t index, MediaBytes bytes) const;

  const SegmentTable& table_;
  const OutstandingRequests& requests_;
  RequestedParts requested_;
  bool keep_;
  std::map<SegmentIndex, std::vector<Part>> bytes_;
};

}  // namespace tributary
