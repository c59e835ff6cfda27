#include "download/files/file_name.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(FileName, OfAServerIsOneNameInOneFolder) {
  for (const auto& [given, name] : {std::pair{"film.iso", "film.iso"},
                                    {"a film (1).iso ", "a film (1).iso"},
                                    {"../../etc/passwd", "passwd"},
                                    {"C:\\films\\ä.iso", "ä.iso"}})
    EXPECT_EQ(safe_file_name(given), name) << given;
}

TEST(FileName, OfAServerThatIsNotSafeIsNone) {
  for (const char* given : {"", "/", "a/", ".", "..", ".bashrc", "a/.ssh", " ", "a\nb", "a\x1b[2Jb", "a\x7f",
                            "fdp\u202eosi.exe", "\xff.iso"})
    EXPECT_EQ(safe_file_name(given), std::nullopt) << given;
}

}  // namespace
}  // namespace tributary
