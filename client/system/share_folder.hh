#pragma once

#include <filesystem>

namespace tributary {

/// Where the files of the programs are: a program is in PREFIX/bin, installed or built, and share/ lies beside that bin/.
std::filesystem::path share_folder();

}  // namespace tributary
