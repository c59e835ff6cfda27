#!/usr/bin/env python3
"""Somebody who has a lender's keys and does what no lender should: false_lender.py ADDRESS KEYS TLS MOOD

Prints its port. MOOD: truncates (ends each connection after 200 kB, in order), changes (a byte in each piece), refuses, hangs,
another's certificate (answers for the origin itself, with a certificate that nobody has signed).
"""
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

address, keys, tls, mood = sys.argv[1:5]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(keys)


def head_of(stream):
    head = b""
    while b"\r\n\r\n" not in head:
        some = stream.recv(1)
        if not some:
            return None
        head += some
    return head.decode()


def tell_status(stream):
    stream.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        stream.sendall(json.dumps({"name": "false", "lends": True, "public_only": False}).encode() + b"\n")
        time.sleep(1)


def carry(source, to, piece=lambda some: some):
    try:
        while some := source.recv(16384):
            to.sendall(piece(some))
    except OSError:
        pass


def lend(stream, target):
    if mood == "refuses":
        stream.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        return
    if mood == "hangs":
        time.sleep(600)
        return
    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    if mood == "another's certificate":
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=198.51.100.1", "-keyout", f"{folder}/k", "-out",
                            f"{folder}/c"], check=True, capture_output=True)
            inner = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            inner.load_cert_chain(f"{folder}/c", f"{folder}/k")
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        side = inner.wrap_bio(incoming, outgoing, server_side=True)
        while True:
            try:
                side.do_handshake()
                break
            except ssl.SSLWantReadError:
                stream.sendall(outgoing.read())
                some = stream.recv(16384)
                if not some:
                    return
                incoming.write(some)
        return
    host, port = target.rsplit(":", 1)
    origin = socket.create_connection((host, int(port)))
    threading.Thread(target=carry, args=(stream, origin), daemon=True).start()
    left = 200_000

    def piece(some):
        nonlocal left
        left -= len(some)
        if mood == "truncates":
            if left <= 0:
                raise OSError
            return some
        return some[:len(some) // 2] + bytes([some[len(some) // 2] ^ 1]) + some[len(some) // 2 + 1:] if len(some) > 8000 else some

    carry(origin, stream, piece)
    stream.unwrap()


def serve(raw):
    try:
        stream = context.wrap_socket(raw, server_side=True)
        head = head_of(stream)
        if head is None:
            return
        method, target = head.split()[:2]
        if method == "CONNECT":
            lend(stream, target)
        else:
            tell_status(stream)
        stream.close()
    except OSError:
        pass


listening = socket.create_server((address, 0))
print(listening.getsockname()[1], flush=True)
while True:
    accepted, _ = listening.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
