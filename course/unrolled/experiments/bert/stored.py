"""All stored experiments of unit 8, by name. `storing` runs and writes them."""

from unrolled.experiments.bert import (
    stored_agreement,
    stored_compressing,
    stored_cuts,
    stored_further,
    stored_looking,
    stored_one_way,
    stored_tuning,
    stored_vectors,
)

ROOMS = (
    stored_tuning,
    stored_looking,
    stored_vectors,
    stored_compressing,
    stored_cuts,
    stored_one_way,
    stored_further,
    stored_agreement,
)
EXPERIMENTS = {name: make for room in ROOMS for name, make in room.EXPERIMENTS.items()}
