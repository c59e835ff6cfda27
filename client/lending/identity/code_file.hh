#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tributary::lending {

/// The code that the lender's user has asked for, in FOLDER/pairing-code, from the program that shows it to the one that
/// lends. Only the user can read it. Functions throw std::runtime_error that names the file.
class CodeFile {
 public:
  explicit CodeFile(const std::filesystem::path& folder) : path_{folder / "pairing-code"} {}

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& code) const;
  /// Nothing: there is no code, or it is no longer good.
  std::optional<std::string> read() const;
  void remove() const;

 private:
  std::filesystem::path path_;
};

}  // namespace tributary::lending
