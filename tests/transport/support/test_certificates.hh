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
  /// Certificates of the server for the same key: from the authority, for another time; signed by itself.
  std::string expired() const { return directory_.path() / "expired.pem"; }
  std::string not_yet_valid() const { return directory_.path() / "not_yet_valid.pem"; }
  std::string self_signed() const { return directory_.path() / "self_signed.pem"; }

 private:
  TemporaryDirectory directory_;
};

}  // namespace tributary
