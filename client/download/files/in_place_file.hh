#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "download/files/destination.hh"
#include "download/files/named_file.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// A device, a FIFO, a terminal, or a file that this process inherited open. No other file may take its place. It is
/// written from its present position on, and a download into it cannot be continued.
class InPlaceFile : public Destination {
 public:
  /// Nothing if the path does not exist yet, or is a regular file or a directory that is not open here. Waits for a
  /// reader of a FIFO. Throws WriteError if it cannot be written.
  static std::unique_ptr<InPlaceFile> at(const NamedFile& file);

  /// True for devices and files: bytes may come in any order, and be written again. A FIFO, a terminal, or a file
  /// opened for appending takes each byte once, in order.
  bool takes_any_order() const { return any_order_; }

  /// Waits for the reader of a FIFO.
  void write(DataSize offset, std::span<const std::byte> bytes) override;
  void note(const DownloadState& /*state*/) override {}
  /// The position is then behind the last byte, where the next writer goes on.
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
