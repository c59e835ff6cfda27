"""A camera as tests need it: serves one stream over RTSP (RFC 2326), interleaved in the connection, to those who know
the password. ffmpeg makes the pictures."""
import base64
import re
import select
import socket
import subprocess
import threading

USER, PASSWORD = "cam", "geheim/1"


class Camera:
    """Until close(). `port`: of an earlier camera, to come back at the same address."""

    def __init__(self, options, port=0):
        self.options = options
        self.server = socket.create_server(("127.0.0.1", port), reuse_port=True)
        self.port = self.server.getsockname()[1]
        self.refused = 0
        self.ended = False
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.ended = True
        for one in [self.server, *self.open]:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def accept(self):
        while not self.ended:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            self.open.append(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        streams = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for stream in streams:
            stream.bind(("127.0.0.1", 0))
        targets = [f"rtp://127.0.0.1:{stream.getsockname()[1]}?pkt_size=1200" for stream in streams]
        sender = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc=s=320x180:r=25", "-re", "-f", "lavfi", "-i", "sine=r=8000",
             *self.options, "-map", "0", "-f", "rtp", targets[0], "-map", "1", "-c:a", "pcm_mulaw", "-ac", "1", "-f", "rtp", targets[1],
             "-sdp_file", "/dev/stdout"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.talk(connection, streams, sender)
        except OSError:
            pass
        finally:
            sender.kill()
            sender.wait()
            for one in [connection, *streams]:
                one.close()

    def description(self, sender):
        lines = [sender.stdout.readline().decode().rstrip() for _ in range(3)]
        while not lines[-1].startswith("m=audio"):
            lines.append(sender.stdout.readline().decode().rstrip())
        text = []
        for line in lines:
            if line.startswith("m="):
                text.append(re.sub(r" \d+ RTP", " 0 RTP", line))
                text.append(f"a=control:track{'video' not in line:d}")
            elif line.startswith("s="):
                text.append("s= ")  # a title that is none
            elif line and not line.startswith(("SDP", "c=", "b=")):
                text.append(line)
        return "\r\n".join(text) + "\r\n"

    def talk(self, connection, streams, sender):
        asked, playing = b"", False
        while not self.ended:
            for ready in select.select([connection, *(streams if playing else [])], [], [], 1)[0]:
                if ready is not connection:
                    packet = ready.recv(65536)
                    connection.sendall(b"$" + bytes([2 * streams.index(ready)]) + len(packet).to_bytes(2, "big") + packet)
                    continue
                more = connection.recv(65536)
                if not more:
                    return
                asked += more
                while b"\r\n\r\n" in asked:
                    head, asked = asked.split(b"\r\n\r\n", 1)
                    playing = self.answer(connection, head[max(0, head.rfind(b"\x00") + 1):].decode("latin1"), sender) or playing

    def answer(self, connection, request, sender):
        method, url = request.split(" ")[:2]
        number = re.search(r"CSeq: *(\d+)", request, re.I).group(1)
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        status, more, body = "200 OK", "Session: 1\r\n", ""
        if method == "DESCRIBE" and f"Basic {login}" not in request:
            self.refused += 1
            status, more = "401 Unauthorized", 'WWW-Authenticate: Basic realm="camera"\r\n'
        elif method == "DESCRIBE":
            body = self.description(sender)
            more += f"Content-Type: application/sdp\r\nContent-Base: {url}/\r\n"
        elif method == "SETUP":
            channel = 2 * int(url[-1])
            more += f"Transport: RTP/AVP/TCP;unicast;interleaved={channel}-{channel + 1}\r\n"
        connection.sendall(f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n{more}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        return method == "PLAY"
