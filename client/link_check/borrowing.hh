#pragma once

#include <string>

namespace tributary {

/// Pairs with the lender at "HOST[:PORT]", or with one that is found in the network if the text is empty. Asks on the
/// terminal for what is not given. Returns the exit status. Throws std::runtime_error.
int borrow(const std::string& lender, const std::string& code);
/// Prints those who lend us a link, and those who are found in the network.
void list_lenders(bool json);
/// Throws UsageError if there is no lender of this name.
void give_back(const std::string& lender);

}  // namespace tributary
