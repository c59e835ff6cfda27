#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apps/get/get_progress.hh"
#include "apps/get/part_file.hh"
#include "transport/object_fetch.hh"

namespace tributary {

/// Takes an object that comes in one piece over one link, because its server does not know ranges (or not its size).
class PlainDownload {
 public:
  /// `path`: of the file to be. The line, which may be absent, must outlive it. `may_begin` is asked before an existing
  /// part is overwritten, and throws if it must not be.
  PlainDownload(std::string path, ProgressLine* line, std::function<void()> may_begin)
      : path_{std::move(path)}, line_{line}, may_begin_{std::move(may_begin)} {}

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

  std::string path_;
  ProgressLine* line_;
  std::function<void()> may_begin_;
  std::string link_;
  std::optional<PartFile> file_;
  DataSize received_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tributary
