"""Traits that say in one line what they want, for every widget alike.

A widget lists its rules once, {name: (holds(widget, value), "what the value must be")}. They hold for the constructor,
for a later assignment in Python, and for what the browser sends.
"""

from traitlets import TraitError, validate


def ruled(rules: dict):
    """A traitlets validator for the traits named in `rules`: ValueError, in one line, for a value that breaks one."""

    def hold_to_rules(widget, proposal):
        name, value = proposal.trait.name, proposal.value
        holds, wanted = rules[name]
        if not holds(widget, value):
            raise ValueError(f"{name} is {value!r}: it must be {wanted}")
        return value

    return validate(*rules)(hold_to_rules)


def set_traits(widget, names, values: dict) -> None:
    """Set `values`, in order; ValueError for a name that is not among `names` or a value of a wrong type."""
    for name, value in values.items():
        if name not in names:
            raise ValueError(f"there is no {name!r}: this widget has {', '.join(names)}")
        try:
            setattr(widget, name, value)
        except TraitError as error:  # a wrong type
            raise ValueError(f"{name} is {value!r}: {error}") from None
