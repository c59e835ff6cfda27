#pragma once

#include <functional>
#include <string>

#include "apps/get/files/destination.hh"
#include "apps/get/get_progress.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// Takes an object that comes in one piece over one link: its server does not know ranges, or not its size; or its ranges are of no use;
/// or its destination takes bytes in their order only.
class PlainDownload {
 public:
  /// `open` gives the destination when the first byte has come, and throws if there must be none. The line, which may be absent,
  /// must outlive it. `why_in_order`: what must have its bytes in their order; empty if only the server wants it.
  using Open = std::function<Destination&()>;
  PlainDownload(Open open, std::string why_in_order, ProgressLine* line)
      : open_{std::move(open)}, why_in_order_{std::move(why_in_order)}, line_{line} {}

  void ranges_are_of_no_use() { ranges_failed_ = true; }
  /// Another attempt begins, over this link.
  void begin(const std::string& link);
  /// The next bytes. Throws WriteError.
  void take(const transport::ObjectHead& head, std::span<const std::byte> bytes);
  /// All bytes have come. Throws WriteError.
  void finish();
  /// Nothing can be continued here: removes what there is.
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
