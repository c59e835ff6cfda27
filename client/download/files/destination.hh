#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "download/files/download_state.hh"
#include "units/data_size.hh"

namespace tributary {

/// A file could not be written. The text has its name and the reason.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where the bytes of a download go. All functions throw WriteError.
class Destination {
 public:
  virtual ~Destination() = default;

  virtual void write(DataSize offset, std::span<const std::byte> bytes) = 0;
  /// Notes which bytes are there, once they are on the disk, for a download that is continued.
  virtual void note(const DownloadState& state) = 0;
  /// To be called when all bytes are written; the file has this size.
  virtual void finish(DataSize size) = 0;
  /// Removes the bytes: the download cannot be continued.
  virtual void discard() = 0;
};

}  // namespace tributary
