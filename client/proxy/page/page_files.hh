#pragma once

#include <optional>
#include <string_view>

namespace tributary::proxy {

/// A file of the page in which the proxy shows titles and links. Compiled in; lives as long as the program.
struct PageFile {
  std::string_view content_type;
  std::string_view text;
};

/// `path` is what follows the token: "/", "/page.css", each script of the folder ("/page.js"); "/hls.js" and "/dash.js"
/// where the build was given these players (TRIBUTARY_PAGE_PLAYERS_DIR). Nothing for any other path.
std::optional<PageFile> page_file(std::string_view path);

}  // namespace tributary::proxy
