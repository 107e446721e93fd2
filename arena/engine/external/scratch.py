"""The scratch folder of a bot's process; it needs the standard library only, for the supervisor uses it."""

from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a scratch folder with all that is in it."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
