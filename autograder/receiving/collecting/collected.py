"""What became of everything that was collected, and how it is told."""

from dataclasses import dataclass, field

from autograder.words import listed

from . import keeping


@dataclass
class Collected:
    """What became of everything: by outcome the students, and what could not be placed."""

    placed: dict[str, list[str]] = field(default_factory=dict)  # one of keeping.OUTCOMES: ids
    attempts: int = 0
    platforms: list[str] = field(default_factory=list)  # one a source
    late: list[str] = field(default_factory=list)  # whom the platform calls late, without a time
    unknown: list[str] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # what could not be read or written, and why
    missing: list[str] = field(default_factory=list)  # on the list, with nothing handed in
    notes: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left for somebody to look at."""
        return not (self.unknown or self.ambiguous or self.failed or self.placed.get("left alone"))

    def told(self, dry_run: bool = False) -> list[str]:
        """Lines for a terminal."""
        lines = [f"{'Would be: ' if dry_run else ''}{self.attempts} attempts, read as {listed(self.platforms)}"]
        for outcome, says in keeping.OUTCOMES.items():
            if ids := self.placed.get(outcome):
                lines.append(f"{len(ids)} {says}: {listed(sorted(ids))}")
        for says, names in (
            ("late, says the platform, which gives no time (so no penalty is counted)", self.late),
            ("unknown, and placed nowhere", self.unknown),
            ("ambiguous, and placed nowhere", self.ambiguous),
            ("on the list, with nothing handed in", self.missing),
        ):
            if names:
                lines.append(f"{len(names)} {says}: {listed(names, length=160)}")
        return lines + self.failed + self.notes

    def advise(self, has_list: bool) -> None:
        """Add what to do about those who are nobody."""
        if self.unknown and not has_list:
            self.notes.append("There is no class list to find names in: run `autograder students FILE` first.")
        elif self.unknown or self.ambiguous:
            self.notes.append("Say whose they are in a file of two columns, name and id, and name it with --who.")
