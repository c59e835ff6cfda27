#include "proxy/requests/content_types.hh"

#include <array>
#include <utility>

namespace tributary::proxy {

std::string content_type_of(std::string_view url) {
  constexpr std::array<std::pair<std::string_view, const char*>, 15> kTypes{{{".m4s", "video/mp4"},
                                                                             {".mp4", "video/mp4"},
                                                                             {".m4v", "video/mp4"},
                                                                             {".cmfv", "video/mp4"},
                                                                             {".m4a", "audio/mp4"},
                                                                             {".cmfa", "audio/mp4"},
                                                                             {".ts", "video/mp2t"},
                                                                             {".aac", "audio/aac"},
                                                                             {".mp3", "audio/mpeg"},
                                                                             {".ac3", "audio/ac3"},
                                                                             {".vtt", "text/vtt"},
                                                                             {".webm", "video/webm"},
                                                                             {".jpg", "image/jpeg"},
                                                                             {".jpeg", "image/jpeg"},
                                                                             {".png", "image/png"}}};
  const std::string_view path = url.substr(0, url.find_first_of("?#"));
  for (const auto& [suffix, type] : kTypes) {
    if (path.ends_with(suffix)) return type;
  }
  return kUnknownType;
}

}  // namespace tributary::proxy
