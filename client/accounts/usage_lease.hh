#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "system/open_file.hh"
#include "units/data_size.hh"

namespace tributary {

/// The bytes that a running program has taken of a cap and not requested yet, in a file of its own:
/// FOLDER/link-usage.lease-PROCESS-NUMBER. The file is locked as long as the program lives. After that, the next
/// program that opens the books ends the lease (end_abandoned).
///
/// The file is written before each request, and never forced to the disk. The system keeps the writes of a killed
/// program, but not through a loss of power. So all bytes of a lease from before the last start of the system count as
/// used.
class UsageLease {
 public:
  struct Record {
    std::string network, since;
    DataSize unused;
  };

  explicit UsageLease(const std::filesystem::path& folder);
  ~UsageLease() { end(); }
  UsageLease(const UsageLease&) = delete;

  /// If the file cannot be written, the lease ends, and all taken bytes stay counted.
  void write(const Record& record);
  void end();

  /// Ends the leases of programs that have ended, and returns their records; an unreadable lease has none. To be called
  /// only while the books are open.
  static std::vector<Record> end_abandoned(const std::filesystem::path& folder);

 private:
  OpenFile file_;
  bool ended_ = false;
};

}  // namespace tributary
