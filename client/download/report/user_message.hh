#pragma once

#include <string>

namespace tributary {

/// Prints a line to standard error, below the program's name.
void tell_user(const std::string& text);
/// What the user can do after a session that ended with this exit status.
void advise_user(int exit_status, const std::string& url);

}  // namespace tributary
