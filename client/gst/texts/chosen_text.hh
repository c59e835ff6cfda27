#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gst/main_context.hh"
#include "gst/texts/picture_captions.hh"
#include "gst/texts/shown_texts.hh"
#include "playback/stream.hh"

namespace tributary {

/// The text of a title that the user chose, and the markup that is shown of it. Its cues are in files of the title, in a
/// file of the user's, or with the pictures. `captions`: those of the pictures; null: the title has no pictures.
class ChosenText {
 public:
  ChosenText(const MainContext& context, std::string manifest, ShownText::Calls calls)
      : context_{context}, manifest_{std::move(manifest)}, calls_{std::move(calls)} {}

  /// A track that is no text of the title, or has no cues, counts as none.
  void choose(std::optional<std::size_t> track, const StreamInfo& info, PictureCaptions* captions);
  /// Adds a text of the user's to the tracks of the title. Returns its track.
  std::size_t add(const std::string& name, TextFile file, StreamInfo& info);
  std::optional<std::size_t> track() const { return track_; }

  /// Looks which markup is to be shown at that position. True: another one than before.
  bool look(Duration position, const PictureCaptions* captions);
  const std::string& shown() const { return shown_; }

 private:
  std::string at(Duration position, const PictureCaptions* captions) const;

  const MainContext& context_;
  const std::string manifest_;
  const ShownText::Calls calls_;
  std::optional<std::size_t> track_;
  std::unique_ptr<ShownText> files_;   // of track_
  std::map<std::size_t, Cues> added_;  // by their tracks
  std::string shown_;
};

}  // namespace tributary
