"""What `autograder verify` finds out about the checks of an exercise."""

from dataclasses import dataclass, field


@dataclass
class Findings:
    """All that was found out about the checks of one exercise."""

    unit: str
    exercise: str
    accepted: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # a right answer -> why it was refused
    caught: dict[str, list[str]] = field(default_factory=dict)  # a wrong answer -> the checks that it failed
    let_through: dict[str, str] = field(default_factory=dict)  # a wrong answer -> what it got away with
    made: list[str] = field(default_factory=list)  # the wrong answers that were made, not written
    excused: list[str] = field(default_factory=list)  # those of them that lost nothing, which is explained
    killed: int = 0
    survived: list[str] = field(default_factory=list)
    explained: dict[str, str] = field(default_factory=dict)  # a mutant, or a wrong answer that was made -> why it may
    broken: list[str] = field(default_factory=list)  # a line for each rule that does not hold
    whole: bool = False  # whether everything was tried
    seconds: float = 0.0

    @property
    def unexplained(self) -> list[str]:
        return [name for name in self.survived if name not in self.explained]

    @property
    def stale(self) -> list[str]:
        """Explanations of what no longer exists or now loses points."""
        lived = {*self.survived, *self.excused}
        return [name for name in self.explained if self.whole and name not in lived]

    @property
    def troubled(self) -> bool:
        """Whether something is wrong already, although not everything may have been tried."""
        return bool(self.refused or self.let_through or self.unexplained or self.broken)

    @property
    def good(self) -> bool:
        return not (self.troubled or self.stale)

    def to_dict(self) -> dict:
        """The documented form: counts of what was tried, lists of the names of what went wrong."""
        return {
            "unit": self.unit,
            "exercise": self.exercise,
            "right": len(self.accepted) + len(self.refused),
            "refused": list(self.refused),
            "wrong": len(self.caught) + len(self.let_through) + len(self.excused),
            "let_through": list(self.let_through),
            "mutants": self.killed + len(self.survived),
            "survived": self.survived,
        }
