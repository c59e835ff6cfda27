#include "tunnel/machine/nft_table.hh"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "system/fed_command.hh"

namespace tributary {

std::string NftTable::removal_of(const std::string& name) {
  // Only what is there can be deleted, and to add it twice does no harm.
  return fmt::format("add table inet {0}\ndelete table inet {0}\n", name);
}

NftTable::NftTable(std::string name, const std::string& chains, const std::string& otherwise) : name_{std::move(name)} {
  make(name_, chains, otherwise);
}

void NftTable::make(const std::string& name, const std::string& chains, const std::string& otherwise) {
  if (!feed_command("nft -f -", removal_of(name) + fmt::format("table inet {} {{\n{}}}\n", name, chains)))
    throw std::runtime_error{"the command nft (package nftables) could not set the rules up; " + otherwise};
}

NftTable::~NftTable() { feed_command("nft -f -", removal_of(name_)); }

}  // namespace tributary
