#!/usr/bin/env python3
"""A member that asks by itself: ask_lender.py LENDER PORT KEYS HOST:PORT [--take HOST PATH]

Prints the status of the answer to CONNECT, and what it says. With --take it then takes all that comes of a file, by https, and
prints the number of bytes that the lender has carried, those of TLS included.
"""
import socket
import ssl
import sys

lender, port, keys, target = sys.argv[1:5]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
context.load_cert_chain(keys)
with context.wrap_socket(socket.create_connection((lender, int(port)), timeout=20)) as stream:
    stream.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        some = stream.recv(1)
        if not some:
            break
        answer += some
    status = answer.split()[1].decode() if answer else "closed"
    carried = 0
    if len(sys.argv) > 5 and status == "200":
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        inner = context.wrap_bio(incoming, outgoing)

        def flush():
            global carried
            waiting = outgoing.read()
            carried += len(waiting)
            stream.sendall(waiting)

        def step(action):
            """Nothing: the lender carries no more."""
            global carried
            while True:
                try:
                    return action()
                except ssl.SSLWantReadError:
                    flush()
                    try:
                        some = stream.recv(65536)
                    except OSError:
                        some = b""
                    if not some:
                        return None
                    carried += len(some)
                    incoming.write(some)

        def all_of_it():
            step(inner.do_handshake)
            if inner.cipher() is None:
                return
            inner.write(f"GET {sys.argv[7]} HTTP/1.1\r\nHost: {sys.argv[6]}\r\nConnection: close\r\n\r\n".encode())
            flush()
            try:
                while step(lambda: inner.read(65536)):
                    pass
            except ssl.SSLError:
                pass

        all_of_it()
    print(status, carried)
