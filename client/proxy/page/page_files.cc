#include "proxy/page/page_files.hh"

#include "proxy/page/page_texts.hh"

namespace tributary::proxy {

std::optional<PageFile> page_file(std::string_view path) {
  constexpr std::string_view kScript = "text/javascript; charset=utf-8";
  if (path == "/") return PageFile{"text/html; charset=utf-8", kPageHtml};
  if (path == "/page.css") return PageFile{"text/css; charset=utf-8", kPageCss};
  for (const PageScript& script : kScripts) {
    if (path == script.path) return PageFile{kScript, script.text};
  }
  if (path == "/hls.js" && !kHlsJs.empty()) return PageFile{kScript, kHlsJs};
  if (path == "/dash.js" && !kDashJs.empty()) return PageFile{kScript, kDashJs};
  return std::nullopt;
}

}  // namespace tributary::proxy
