#include "test_certificates.hh"

#include <cstdlib>
#include <stdexcept>

namespace tributary {
namespace {

void openssl(const TemporaryDirectory& directory, const std::string& arguments) {
  const std::string command = "cd " + directory.path().string() + " && openssl " + arguments + " 2>openssl.log";
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"failed: " + command};
}

/// Only `openssl ca` can set both dates.
constexpr const char* kAuthority = R"(
[ca]
default_ca = ours
[ours]
dir = .
database = index.txt
new_certs_dir = .
serial = serial
certificate = authority.pem
private_key = authority.key
default_md = sha256
policy = any
x509_extensions = names
unique_subject = no
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost
)";

constexpr const char* kNewKey = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";

}  // namespace

TestCertificates::TestCertificates() {
  for (const std::string name : {"authority", "other"}) {
    openssl(directory_, "req -x509" + std::string{kNewKey} + "-days 2 -subj '/CN=" + name + "' -keyout " + name +
                            ".key -out " + name + ".pem");
  }
  openssl(directory_, "req" + std::string{kNewKey} + "-subj '/CN=localhost' -keyout server.key -out server.csr");
  directory_.write("server.ext", "subjectAltName=DNS:localhost\n");
  openssl(directory_,
          "x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -extfile "
          "server.ext "
          "-out server.pem");
  directory_.write("authority.cnf", kAuthority);
  directory_.write("index.txt", "");
  directory_.write("serial", "1000\n");
  const std::string sign = "ca -batch -notext -config authority.cnf -in server.csr ";
  openssl(directory_, sign + "-startdate 20200101000000Z -enddate 20200201000000Z -out expired.pem");
  openssl(directory_, sign + "-startdate 20990101000000Z -enddate 20990201000000Z -out not_yet_valid.pem");
  openssl(directory_, "x509 -req -in server.csr -signkey server.key -days 2 -extfile server.ext -out self_signed.pem");
}

}  // namespace tributary
