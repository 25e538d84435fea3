"""Message framing between the pool and a child: eight bytes of length (big-endian), then the message."""

import asyncio
import socket
import struct

_LENGTH = struct.Struct("!Q")
_RECEIVE_BYTES = 1 << 20


class Oversized(Exception):
    """A message is longer than it may be."""


def pack(message: bytes) -> bytes:
    """Return a message with its length before it."""
    return _LENGTH.pack(len(message)) + message


def read(peer: socket.socket) -> bytes:
    """Read the next message, blocking. Raise EOFError when the peer closed its side."""
    (length,) = _LENGTH.unpack(_read(peer, _LENGTH.size))
    return bytes(_read(peer, length))


async def receive(peer: socket.socket, *, most_bytes: int) -> bytes:
    """Read the next message on the event loop. Raise EOFError at the end, Oversized beyond `most_bytes`."""
    (length,) = _LENGTH.unpack(await _receive(peer, _LENGTH.size))
    if length > most_bytes:
        raise Oversized
    return bytes(await _receive(peer, length))


def _read(peer: socket.socket, length: int) -> bytearray:
    found = bytearray()
    while len(found) < length:
        piece = peer.recv(min(length - len(found), _RECEIVE_BYTES))
        if not piece:
            raise EOFError
        found += piece
    return found


async def _receive(peer: socket.socket, length: int) -> bytearray:
    loop = asyncio.get_running_loop()
    found = bytearray()
    while len(found) < length:
        piece = await loop.sock_recv(peer, min(length - len(found), _RECEIVE_BYTES))
        if not piece:
            raise EOFError
        found += piece
    return found
