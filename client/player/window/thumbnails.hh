#pragma once

#include <gdk/gdk.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "playback/side_loader.hh"
#include "player/glib/g_handles.hh"

namespace tributary::play {

/// The small pictures of a title. Fetches the sheet of one when it is asked for, and keeps a few sheets. A sheet that
/// cannot be had or read shows nothing.
class Thumbnails {
 public:
  struct Source {
    SideFiles files;
    Duration zero{};  // when the title begins, as the manifest counts time
    std::string manifest;
    transport::LinkRules rules{};
  };
  using Links = std::function<std::vector<std::string>()>;  // see links_for_side_files

  /// `arrived`: called in the main loop when at() may give a picture that it did not give before.
  Thumbnails(Source source, Links links, std::function<void()> arrived);
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  /// The picture of the title at that position. Null: it is not here yet, or there is none.
  Ref<GdkTexture> at(Duration position);

 private:
  const Duration zero_;
  const Links links_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // looked at in the main loop
  SideLoader loader_;
};

}  // namespace tributary::play
