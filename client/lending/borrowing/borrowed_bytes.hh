#pragma once

#include <filesystem>

#include "lending/pairing.hh"
#include "units/data_size.hh"

namespace tributary::lending {

/// How many bytes each lender has brought this user's programs, in files that they share (accounts/usage_books.hh). It is
/// counted here, since nobody is to be believed about what it lends.
class BorrowedBytes {
 public:
  explicit BorrowedBytes(std::filesystem::path folder) : folder_{std::move(folder)} {}

  /// Throws std::exception.
  void add(const MemberKey& lender, DataSize size) const;
  DataSize in_all(const MemberKey& lender) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace tributary::lending
