#pragma once

#include <memory>

#include "apps/get/destination.hh"

namespace tributary {

/// What is no file and cannot be replaced by one: a device, a FIFO, a terminal. It is written in place, and nothing of it can be
/// continued.
class InPlaceFile : public Destination {
 public:
  /// Nothing where there is nothing yet, or a regular file or a directory. Waits for somebody who reads a FIFO. Throws WriteError if
  /// it cannot be written: a symbolic link to a file would be replaced by it.
  static std::unique_ptr<InPlaceFile> at(const std::string& path);
  ~InPlaceFile() override;
  InPlaceFile(const InPlaceFile&) = delete;
  InPlaceFile& operator=(const InPlaceFile&) = delete;

  /// A device: bytes may come in any order, and be written again. What takes them in their order only keeps what it has.
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
