#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "units/data_size.hh"
#include "worlds/memory/open_file.hh"

namespace tributary {

/// What a program that runs has taken of a cap and not requested yet, in a file of its own: FOLDER/link-usage.lease-PROCESS-NUMBER,
/// locked as long as the program lives. Once it does not, whoever opens the books next ends the lease (end_abandoned).
///
/// The file is written before each request and never forced to the disk: the system keeps what a killed program has written, but
/// not through a loss of power. So a lease from before the last start of the system counts as used whole.
class UsageLease {
 public:
  struct Record {
    std::string network, since;
    DataSize unused;
  };

  explicit UsageLease(const std::filesystem::path& folder);
  ~UsageLease() { end(); }
  UsageLease(const UsageLease&) = delete;

  /// If it cannot be written, the lease ends: all that was taken stays counted.
  void write(const Record& record);
  void end();

  /// Of programs that are gone; nothing is unused of what is not known. Only while the books are open.
  static std::vector<Record> end_abandoned(const std::filesystem::path& folder);

 private:
  OpenFile file_;
  bool ended_ = false;
};

}  // namespace tributary
