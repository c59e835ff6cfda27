#pragma once

#include <optional>
#include <string>

namespace tributary {

/// Who asks an origin.
struct Login {
  std::string user, password;

  bool operator==(const Login&) const = default;
};

/// Reads "NAME:PASSWORD"; without a colon, the password is empty.
Login read_login(const std::string& text);

/// Takes "user:password@" out of the address. Nothing if it has none, or cannot be read as an address.
std::optional<Login> take_login(std::string& url);

/// The entry of a .netrc for this host, or else its default. Throws std::invalid_argument that names the wrong word.
std::optional<Login> login_in_netrc(const std::string& text, const std::string& host);
/// The text of the user's .netrc: the file that NETRC names, or ~/.netrc. Throws std::runtime_error.
std::string read_netrc();

}  // namespace tributary
