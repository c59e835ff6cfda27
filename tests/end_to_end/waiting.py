"""Waiting for what comes in its own time, for the tests of this folder and of others."""
import time


def wait_until(condition, seconds=60):
    """Throws TimeoutError."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)
