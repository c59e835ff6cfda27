#pragma once

#include <fstream>
#include <string>

#include "sink/segment_sink.hh"

namespace tributary {

/// Writes the picture (or the plain bytes) of all segments into one file, and the sound into a second one beside it:
/// "film.mp4" and "film.audio.mp4". An init segment stands before the first segment that needs it. A
/// device or a FIFO is written in place, and cannot have sound beside it.
class FileSink : public SegmentSink {
 public:
  /// Creates the first file. Throws std::runtime_error with path and reason, here and when a write fails.
  explicit FileSink(std::string path);

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// Flushes and closes the files. Only after it are all bytes written. Throws std::runtime_error as above.
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
