#include "program/output_file.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

std::string refusal_after(const std::vector<std::size_t>& writes) {
  OutputFile file{"/dev/full"};
  for (const std::size_t size : writes) file.stream() << std::string(size, 'x');
  try {
    file.close();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFile, SaysWhyAFullDiskDidNotTakeIt) {
  const std::string full = "/dev/full could not be written whole: No space left on device";
  EXPECT_EQ(refusal_after({10}), full) << "the write fails at the end";
  EXPECT_EQ(refusal_after({100'000}), full) << "the write fails at once, and nothing is left for the end";
  EXPECT_EQ(refusal_after({100'000, 10, 100'000}), full);
}

TEST(OutputFile, SaysWhyAPlaceCannotBeWritten) {
  try {
    OutputFile{"/nosuch/folder/file"};
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot write /nosuch/folder/file: No such file or directory");
  }
}

TEST(OutputFile, IsNoneIfNobodyWantsIt) {
  OutputFile none{std::nullopt};
  EXPECT_FALSE(none.wanted());
  EXPECT_NO_THROW(none.close());
}

}  // namespace
}  // namespace tributary
