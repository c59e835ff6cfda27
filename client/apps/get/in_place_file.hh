#pragma once

#include <memory>

#include "apps/get/destination.hh"

namespace tributary {

/// A device, a FIFO or a terminal: no file may take its place. It is written as it stands, and a download into it cannot be
/// continued.
class InPlaceFile : public Destination {
 public:
  /// Nothing where there is nothing yet, or a regular file or a directory. Waits for somebody who reads a FIFO. Throws WriteError if
  /// it cannot be written: a symbolic link to a file would be replaced by it.
  static std::unique_ptr<InPlaceFile> at(const std::string& path);
  ~InPlaceFile() override;
  InPlaceFile(const InPlaceFile&) = delete;
  InPlaceFile& operator=(const InPlaceFile&) = delete;

  /// A device: bytes may come in any order, and be written again. A FIFO or a terminal takes them in their order only, once.
  bool takes_any_order() const { return any_order_; }

  /// Waits for whoever reads it.
  void write(DataSize offset, std::span<const std::byte> bytes) override;
  void note(const DownloadState& /*state*/) override {}
  void finish(DataSize size) override;
  void discard() override {}

 private:
  InPlaceFile(std::string path, int fd);

  std::string path_;
  int fd_;
  bool any_order_;
};

}  // namespace tributary
