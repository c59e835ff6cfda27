#include "lending/identity/code_file.hh"

#include <algorithm>
#include <chrono>
#include <exception>

#include "lending/pairing.hh"
#include "lending/pairing_desk.hh"
#include "system/state_files.hh"

namespace tributary::lending {

void CodeFile::write(const std::string& code) const {
  std::filesystem::create_directories(path_.parent_path());
  replace_file(path_, code + '\n', Kept::kBySystem);
}

std::optional<std::string> CodeFile::read() const {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path_, error);
  if (error || std::filesystem::file_time_type::clock::now() > written + PairingDesk::kValid) return std::nullopt;
  std::string text;
  try {
    text = text_of_file(path_).value_or("");
  } catch (const std::exception&) {
    if (std::filesystem::exists(path_, error)) throw;  // else it was used meanwhile
  }
  text.erase(std::min(text.find('\n'), text.size()));
  return read_pairing_code(text);
}

void CodeFile::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tributary::lending
