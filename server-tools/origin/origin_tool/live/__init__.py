"""The server side of Low-Latency HLS (draft-pantos-hls-rfc8216bis), beside a web server of plain files."""
