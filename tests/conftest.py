"""Shared fixtures: where the public data sets lie, and a wall against real network connections."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
SHARED_WAS_READ = pytest.StashKey[bool]()

settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI, data sets that are there but were never read are a failure, not a silent skip."""
    unread = SHARED.is_dir() and not session.config.stash.get(SHARED_WAS_READ, False)
    if os.environ.get("CI") and unread and session.testscollected:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("the folder 'shared' is present, but no test read it")


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest) -> Path:
    """The folder `shared` beside the repository (data sets, fixtures); skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder 'shared' with public data sets is not beside the repository")
    request.config.stash[SHARED_WAS_READ] = True
    return SHARED


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reaches beyond this machine, or touches the user's own folders."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
