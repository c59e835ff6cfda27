#pragma once

#include <string>

#include "temporary_directory.hh"

namespace tributary {

/// A certificate authority of our own and a certificate of the server "localhost" (not of 127.0.0.1), made by
/// the openssl command; and an authority that signed nothing.
class TestCertificates {
 public:
  TestCertificates();

  std::string authority() const { return directory_.path() / "authority.pem"; }
  std::string other_authority() const { return directory_.path() / "other.pem"; }
  std::string server() const { return directory_.path() / "server.pem"; }
  std::string server_key() const { return directory_.path() / "server.key"; }

 private:
  TemporaryDirectory directory_;
};

}  // namespace tributary
