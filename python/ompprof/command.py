# SPDX-License-Identifier: Apache-2.0
"""Runs the command ompprof, and imports what is optional."""
from __future__ import annotations

import importlib
import json
import os
import subprocess
import warnings
from types import ModuleType
from typing import Any, Optional

_VERSION = 1


class Error(Exception):
    """Something was not possible; the text is all that the command said about it."""


def output(arguments: list[str], command: Optional[str] = None) -> str:
    """Runs the command and returns its output. Its messages, such as a hint, become a warning.

    arguments: the verb and its options.
    command: the command, or None for $OMPPROF or `ompprof`.
    Raises Error if the command is missing or fails.
    """
    command = command or os.environ.get("OMPPROF") or "ompprof"
    try:
        done = subprocess.run(
            [command, *arguments], capture_output=True, encoding="utf-8", errors="surrogateescape"
        )
    except OSError as error:
        raise Error(
            f"cannot run '{command}': {error.strerror}; "
            "install ompprof, or name the command in OMPPROF"
        ) from None
    said = done.stderr.strip()
    if done.returncode != 0:
        raise Error(said or f"'{command}' ended with status {done.returncode} and said nothing")
    if said:
        warnings.warn(said, stacklevel=3)
    return done.stdout


def document(kind: str, arguments: list[str], command: Optional[str] = None) -> dict[str, Any]:
    """The JSON that the command prints, an object whose format is `kind`.

    Raises Error also if the object is of another format or version.
    """
    found = json.loads(output([*arguments, "--format", "json"], command))
    if (found.get("format"), found.get("version")) != (kind, _VERSION):
        raise Error(
            f"the command wrote '{found.get('format')}', version {found.get('version')}; "
            f"this package reads '{kind}', version {_VERSION}"
        )
    return found


def need(module: str, package: Optional[str] = None) -> ModuleType:
    """An optional module. Raises Error with the name of its package if it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module.split(".")[0]
        raise Error(f"{error}; this needs the package {package}: pip install {package}") from error
