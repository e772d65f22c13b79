"""Join the results of shards: nothing is lost, and nothing is mixed that does not belong together.

A shard is a folder of results that `grade run --shard i/n` wrote. Merging is the same however often
and in whatever order it is done.
"""

from collections.abc import Iterable
from pathlib import Path

from course_lib.grading.class_list import is_among, who_handed_in
from course_lib.grading.class_run import with_notes
from course_lib.grading.record import Entry, Record, Results
from course_lib.grading.spellings import same

Key = tuple[str, str]  # an exercise and the SHA-256 of a submission


def merge(folders: list[Path], into: Path) -> list[Entry]:
    """Write the joined results to `into`; the entries that no shard has a record of.

    ValueError where shards were graded with different checks, versions, inputs or isolation, where
    they disagree on a submission, or where `into` lists students whom no shard has.
    """
    shards = [Results(folder) for folder in folders]
    entries = _joined(entry for shard in shards for entry in _entries(shard))
    target = Results(into)
    _refuse_to_lose(target, entries)
    records = _records(shards, entries)
    _refuse_to_mix(records)
    for record, _ in records.values():
        target.save(record)
    gaps = [e for e in entries if e.sha256 and (e.exercise, e.sha256) not in records]
    for entry in gaps:  # an earlier merge's points would look like new ones
        target.record_path(entry.exercise, entry.sha256 or "").unlink(missing_ok=True)
    target.save_entries(with_notes(entries))
    target.save_parts(set().union(*(shard.parts() for shard in shards)))
    return gaps


def absent(parts: set[str]) -> list[str]:
    """The parts that would make the class whole, such as "3/8"; none where it is."""
    numbers: dict[int, set[int]] = {}
    for number, count in (map(int, part.split("/")) for part in parts):
        numbers.setdefault(count, set()).add(number)
    left = {count: set(range(1, count + 1)) - there for count, there in numbers.items()}
    whole = not all(left.values())
    return [] if whole else [f"{i}/{count}" for count in sorted(left) for i in sorted(left[count])]


def _entries(shard: Results) -> list[Entry]:
    try:
        return shard.entries()
    except (OSError, ValueError) as error:
        raise ValueError(f"{shard.folder} holds no results that can be read: {error}") from None


def _joined(entries: Iterable[Entry]) -> list[Entry]:
    """Each entry once. Nobody is missing in one shard whose submission lies in another."""
    found = {(e.student, e.exercise, e.file, e.sha256): e for e in entries}
    handed_in = who_handed_in(found.values())
    return [
        entry
        for entry in found.values()
        if entry.sha256 is not None or not is_among(entry.student, entry.exercise, handed_in)
    ]


def _refuse_to_lose(target: Results, entries: list[Entry]) -> None:
    if not (target.folder / "index.json").exists():
        return
    known = {(same(entry.student), entry.exercise) for entry in entries}
    handed_in = who_handed_in(entries)
    lost = sorted(
        {
            e.student
            for e in _entries(target)
            if (same(e.student), e.exercise) not in known
            and (e.sha256 is not None or not is_among(e.student, e.exercise, handed_in))
        }
    )
    if lost:
        raise ValueError(
            f"{target.folder} holds results that no shard has, of {', '.join(lost)}; "
            "merge into a new folder, or name that one among the shards"
        )


def _records(shards: list[Results], entries: list[Entry]) -> dict[Key, tuple[Record, Path]]:
    """The record of each submission and the folder in which it was found."""
    found: dict[Key, tuple[Record, Path]] = {}
    for entry in entries:
        for shard in shards if entry.sha256 else []:
            key = (entry.exercise, entry.sha256 or "")
            record = shard.record(*key)
            if record is None:
                continue
            if key not in found or found[key][0].status == "infra_error":
                found[key] = (record, shard.folder)
            elif record.status != "infra_error" and record != found[key][0]:
                _refuse_to_mix({key: found[key], (entry.exercise, ""): (record, shard.folder)})
                _refuse_to_choose(entry, found[key], (record, shard.folder))
    return found


def _refuse_to_choose(entry: Entry, one: tuple[Record, Path], other: tuple[Record, Path]) -> None:
    said = " and ".join(f"{r.points} points ({r.status}) in {folder}" for r, folder in (one, other))
    raise ValueError(f"{entry.file} of {entry.student} has {said}; grade it again")


def _refuse_to_mix(records: dict[Key, tuple[Record, Path]]) -> None:
    """Print both values of whatever two records of one exercise were graded with."""
    seen: dict[tuple[str, str], tuple[str, Path]] = {}
    for (exercise, _), (record, folder) in records.items():
        for name, value in record.graded_with.items():
            first, place = seen.setdefault((exercise, name), (value, folder))
            if first != value:
                raise ValueError(
                    f"{exercise} was graded with different {name}: "
                    f"{first} in {place}, {value} in {folder}"
                )
