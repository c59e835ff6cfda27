#pragma once

#include <openssl/ssl.h>

#include <filesystem>
#include <string>

#include "lending/pairing.hh"

namespace tributary::lending {

/// What this user's programs are known by among those who lend and borrow: a key pair, and a certificate that nobody but
/// ourselves has signed. Others keep the key's hash and trust nothing else.
struct Identity {
  std::string certificate, private_key;  // PEM
  MemberKey key{};                       // of the certificate
};

/// FOLDER of the user's files for lending and borrowing: "lending" beside the other state files.
std::filesystem::path lending_folder();

/// The identity in FOLDER/identity.pem, which is made if there is none; only the user can read it. Throws
/// std::runtime_error that names the file.
Identity own_identity(const std::filesystem::path& folder);

/// The hash of the public key in a certificate.
MemberKey key_of(const X509& certificate);
/// As libcurl takes it: "sha256//" and base64.
std::string pinned_key(const MemberKey& key);

}  // namespace tributary::lending
