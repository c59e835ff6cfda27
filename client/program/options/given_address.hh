#pragma once

#include <string>

namespace tributary {

/// The address that the user gave, with a scheme (units/text/web_address.hh). Unless `quiet`, says which one is tried.
/// Throws UsageError for the name of a file of this machine.
std::string given_address(const std::string& program, const std::string& text, bool quiet);

}  // namespace tributary
