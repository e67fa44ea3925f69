"""Every error that Countercite raises on purpose, and what a caller can do about it.

CounterciteError                 base: `str(error)` is one sentence that names the input and the mend
├── InputError                  the caller's input can't be used; don't retry, change the input
│   ├── DocumentError           a paper or data file can't be read (damaged, foreign, too large)
│   └── LibraryFileError        the library file is missing, damaged, foreign or of another version
└── TemporaryError              the same call may succeed later; retry
    └── LibraryBusyError        another process is writing to the library
"""

from __future__ import annotations


class CounterciteError(Exception):
    """Base of all errors raised on purpose; `retryable` says whether trying again can help."""

    retryable: bool = False


class InputError(CounterciteError):
    """The input can't be used as it is; the message says which input and how to mend it."""


class DocumentError(InputError):
    """A paper or a data file can't be read; the message gives the reason."""


class LibraryFileError(InputError):
    """The library file is missing, damaged, not one of ours, or of another version."""


class TemporaryError(CounterciteError):
    """Nothing is wrong with the input; the same call may succeed later."""

    retryable = True


class LibraryBusyError(TemporaryError):
    """Another process holds the library's write lock for longer than we wait."""
