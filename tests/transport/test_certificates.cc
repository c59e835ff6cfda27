#include "test_certificates.hh"

#include <cstdlib>
#include <stdexcept>

namespace tributary {
namespace {

void openssl(const TemporaryDirectory& directory, const std::string& arguments) {
  const std::string command =
      "cd " + directory.path().string() + " && openssl " + arguments + " 2>openssl.log";
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"failed: " + command};
}

constexpr const char* kNewKey = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";

}  // namespace

TestCertificates::TestCertificates() {
  for (const std::string name : {"authority", "other"}) {
    openssl(directory_, "req -x509" + std::string{kNewKey} + "-days 2 -subj '/CN=" + name + "' -keyout " +
                            name + ".key -out " + name + ".pem");
  }
  openssl(directory_,
          "req" + std::string{kNewKey} + "-subj '/CN=localhost' -keyout server.key -out server.csr");
  directory_.write("server.ext", "subjectAltName=DNS:localhost\n");
  openssl(directory_,
          "x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -extfile "
          "server.ext "
          "-out server.pem");
}

}  // namespace tributary
