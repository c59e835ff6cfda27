#include "lending/borrowing/borrowed_bytes.hh"

#include <string>

#include "accounts/usage_books.hh"
#include "bonding/handshake/key_text.hh"

namespace tributary::lending {
namespace {

std::string borrowed_from(const MemberKey& lender) { return "borrowed from " + bonding::key_text(lender); }
void say_nothing(const std::string& /*text*/) {}

}  // namespace

void BorrowedBytes::add(const MemberKey& lender, DataSize size) const {
  if (size <= DataSize{}) return;
  UsageBooks books{folder_.string(), say_nothing};
  books.usage_of(borrowed_from(lender), {}).add(size);
  books.save();
}

DataSize BorrowedBytes::in_all(const MemberKey& lender) const {
  UsageBooks books{folder_.string(), say_nothing};
  return DataSize{books.usage_of(borrowed_from(lender), {}).bytes};
}

}  // namespace tributary::lending
