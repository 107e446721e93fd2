"""`arena cache export`, `import`, `list` and `clear` with their options."""

from pathlib import Path

import click

from arena.cli.options import JSON
from arena.cli.output import in_json, put


@click.group()
def cache() -> None:
    """Manage compiled code: list, clear, export, import.

    The rules and the bots are compiled once per machine, when they are first played. A container, a CI job or a
    class of students can use code that was compiled elsewhere with the same versions.
    """


@cache.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("bots", metavar="[BOT]...", nargs=-1)
@click.option("--cpu", metavar="LEVEL", help="Compile for all processors from this level on, for example x86-64-v3.")
def export(file: Path, bots: tuple[str, ...], cpu: str | None) -> None:
    """Compile the rules and the bots into a file for other machines.

    Includes the shipped bots and every BOT given. Without --cpu the code runs on this model of processor only.
    """
    from arena.rules.compiler.travel import pack
    from arena.runs.compile import compiled_afresh
    from arena.texts import in_bytes

    with compiled_afresh(cpu, bots) as root:
        size = pack(root, cpu, file)
    click.echo(f"{file}: {in_bytes(size)}. Elsewhere: arena cache import {file.name}")


@cache.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_(file: Path) -> None:
    """Use compiled code written by `arena cache export`.

    It is refused where it does not fit: other versions or another processor. Like a program, such a file can do
    anything: take it only from somebody whom you trust.
    """
    from arena.rules.compiler.place import cache_root
    from arena.rules.compiler.travel import unpack

    cpu = unpack(file)
    click.echo(f"Compiled code for {cpu} is in {cache_root()}.")


@cache.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List the compiled code: size, modules, last use."""
    import time

    from arena.rules.compiler.place import cache_root, chosen_level
    from arena.rules.compiler.travel import contents
    from arena.texts import counted, in_bytes

    folders = contents()
    if as_json:
        rows = [{"folder": f.path.name, "bytes": f.size, "last_used": f.used, "modules": f.modules} for f in folders]
        put(in_json({"root": str(cache_root()), "cpu": chosen_level(), "folders": rows}))
        return
    for folder in folders:
        used = time.strftime("%Y-%m-%d", time.localtime(folder.used))
        names = ", ".join(folder.modules) or "nothing"
        names = names if len(names) < 40 else f"{names[:37]}..."
        click.echo(f"{folder.path.name}  {in_bytes(folder.size):>8}  {used}  {names}")
    total = sum(folder.size for folder in folders)
    for_cpu = f", for processors from {level} on" if (level := chosen_level()) else ""
    click.echo(f"{counted(len(folders), 'folder')}, {in_bytes(total)}, in {cache_root()}{for_cpu}.")


@cache.command()
def clear() -> None:
    """Delete all compiled code."""
    from arena.rules.compiler.place import cache_root
    from arena.rules.compiler.travel import clear as delete
    from arena.texts import in_bytes

    click.echo(f"{in_bytes(delete())} deleted in {cache_root()}.")
