"""What the experiments of unit 8, BERT, need."""
