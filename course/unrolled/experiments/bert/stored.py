"""All stored experiments of unit 8, by name. `storing` runs and writes them."""

from unrolled.experiments.bert import stored_looking as looking
from unrolled.experiments.bert import stored_tuning as tuning

EXPERIMENTS = tuning.EXPERIMENTS | looking.EXPERIMENTS
