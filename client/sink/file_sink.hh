#pragma once

#include <fstream>
#include <string>

#include "sink/segment_sink.hh"

namespace tributary {

/// Writes the picture (or the plain bytes) of the segments one after the other into a file, and the sound into a second one
/// beside it: "film.mp4" and "film.audio.mp4". Init segments come where they were needed first. What is no regular file is written
/// in place, and can have no sound beside it.
class FileSink : public SegmentSink {
 public:
  /// Creates the first file. Throws std::runtime_error with path and reason, here and when a write fails.
  explicit FileSink(std::string path);

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// Everything is in the files; call it before believing so.
  void close();

  static std::string audio_path(const std::string& path);

 private:
  void refuse_beside_no_file() const;

  struct Output {
    std::string path;
    std::ofstream stream;
    void open();
    void check(bool good) const;
  };
  Output picture_, sound_;
};

}  // namespace tributary
