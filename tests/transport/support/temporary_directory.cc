#include "temporary_directory.hh"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace tributary {

TemporaryDirectory::TemporaryDirectory() {
  std::string name = std::filesystem::temp_directory_path() / "tributary-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::system_error{errno, std::generic_category(), "make " + name};
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // what cannot be removed is left for the system's own cleaning
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = path_ / name;
  create_directories(file.parent_path());
  std::ofstream{file, std::ios::binary} << text;
  return file;
}

}  // namespace tributary
