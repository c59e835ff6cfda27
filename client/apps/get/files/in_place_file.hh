#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/get/files/destination.hh"
#include "apps/get/files/named_file.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// A device, a FIFO or a terminal, or whatever is open here already: no file may take its place. It is written as it stands, from
/// where it stands, and a download into it cannot be continued.
class InPlaceFile : public Destination {
 public:
  /// Nothing where there is nothing yet, or a regular file or a directory that is not open here. Waits for somebody who reads a FIFO.
  /// Throws WriteError if it cannot be written.
  static std::unique_ptr<InPlaceFile> at(const NamedFile& file);

  /// A device or a file: bytes may come in any order, and be written again. A FIFO, a terminal, or a file to which is appended, takes
  /// them in their order only, once.
  bool takes_any_order() const { return any_order_; }

  /// Waits for whoever reads it.
  void write(DataSize offset, std::span<const std::byte> bytes) override;
  void note(const DownloadState& /*state*/) override {}
  /// Whoever writes there next goes on behind it.
  void finish(DataSize size) override;
  void discard() override {}

 private:
  InPlaceFile(std::string path, int fd);

  std::string path_;
  FileDescriptor fd_;
  std::int64_t begin_;  // where it stood; negative if it has no places
  bool any_order_;
  DataSize written_;  // behind the last byte that was
};

}  // namespace tributary
