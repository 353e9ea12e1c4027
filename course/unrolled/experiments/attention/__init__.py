"""What the experiments of unit 6, self-attention with many heads, need."""
