#pragma once

#include <fstream>
#include <string>

#include "sink/segment_sink.hh"

namespace tributary {

/// Writes the bytes of all segments into a folder, as they came: the file "picture" has the picture (or the plain
/// bytes), "sound" the sound beside it. An init segment stands before the first segment that needs it, and does not
/// come again where a quality does: once the quality has changed, a file need not be playable.
class FileSink : public SegmentSink {
 public:
  /// Makes the folder where there is none, and the file of the picture. Throws std::runtime_error with path and reason,
  /// here and when a write fails.
  explicit FileSink(const std::string& folder);

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// Flushes and closes the files. Only after it are all bytes written. Throws std::runtime_error as above.
  void close();

 private:
  struct Output {
    std::string path;
    std::ofstream stream;
    void open();
    void check(bool good) const;
  };
  Output picture_, sound_;
};

}  // namespace tributary
