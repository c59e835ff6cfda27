#pragma once

#include <functional>
#include <string>

#include "download/files/destination.hh"
#include "download/report/get_progress.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// Takes an object that comes in one piece over one link. The server does not know ranges or the size, or its ranges
/// are of no use, or the destination must be written sequentially.
class PlainDownload {
 public:
  /// `open` gives the destination of an object with this head once its first byte has come, and throws if there must be none. The line may be null,
  /// and must outlive it. `why_in_order` names the destination that takes bytes in order only; empty if the server
  /// alone is the reason.
  using Open = std::function<Destination&(const transport::ObjectHead& head)>;
  PlainDownload(Open open, std::string why_in_order, ProgressLine* line)
      : open_{std::move(open)}, why_in_order_{std::move(why_in_order)}, line_{line} {}

  void ranges_are_of_no_use() { ranges_failed_ = true; }
  /// Begins another attempt, over this link.
  void begin(const std::string& link);
  /// Writes the next bytes. Throws WriteError.
  void take(const transport::ObjectHead& head, std::span<const std::byte> bytes);
  /// All bytes of the object with this head have come. Throws WriteError.
  void finish(const transport::ObjectHead& head);
  /// Removes the bytes so far: such a download cannot be continued.
  void discard();

  const std::string& link() const { return link_; }
  DataSize received() const { return received_; }

 private:
  TimePoint now() const;

  Open open_;
  std::string why_in_order_;
  ProgressLine* line_;
  bool ranges_failed_ = false;
  std::string link_;
  Destination* destination_ = nullptr;  // once there is one
  DataSize received_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tributary
