#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "apps/common/command_line_end.hh"
#include "apps/common/forget_networks.hh"
#include "apps/get/download.hh"
#include "apps/get/exit_status.hh"
#include "apps/get/files/destination.hh"
#include "apps/get/get_options.hh"
#include "units/printed_text.hh"
#include "worlds/discovery/first_link.hh"

namespace {

int complain(const std::exception& error, int status) {
  tributary::print_text(stderr, "tributary-get: {}\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tributary;
  try {
    const GetOptions options = parse_command_line(argc, argv);
    if (options.forget) forget_networks(options.url.empty() ? stdout : stderr);
    return options.url.empty() ? 0 : download(options);
  } catch (const CommandLineEnd& end) {
    return end.exit_status;
  } catch (const GetError& error) {
    return complain(error, error.exit_status);
  } catch (const NoLinkWorked& error) {
    return complain(error, exit_status_of(error.reason));
  } catch (const WriteError& error) {
    return complain(error, kCannotWrite);
  } catch (const std::exception& error) {
    return complain(error, 1);
  }
}
