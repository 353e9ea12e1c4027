# Answers to 4.5, accuracy. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: counted_in_a_loop — Word by word
def tag_accuracy(predicted, gold, mask):
    right = real = 0
    for b in range(len(mask)):
        for t in range(mask.shape[1]):
            if mask[b, t]:
                real += 1
                right += int(predicted[b, t] == gold[b, t])
    return right / real


# %% right: two_sums — Both counts as sums of bools
def tag_accuracy(predicted, gold, mask):
    return int(((predicted == gold) & mask).sum()) / int(mask.sum())


# %% right: one_minus_the_errors — What is wrong among the real ones, taken from one
def tag_accuracy(predicted, gold, mask):
    errors = (predicted - gold).masked_select(mask).count_nonzero()
    return 1 - errors.item() / mask.count_nonzero().item()


# %% right: a_tensor_of_one_number — Left as a tensor of shape ()
def tag_accuracy(predicted, gold, mask):
    return (predicted[mask] == gold[mask]).float().mean()


# %% wrong: pads_counted — The share over all places
# fails: three_of_four_by_hand, pads_are_neither_right_nor_wrong
def tag_accuracy(predicted, gold, mask):
    return (predicted == gold).double().mean().item()


# %% wrong: divided_by_all_places — Right among the real ones, over B · T
# fails: three_of_four_by_hand, pads_are_neither_right_nor_wrong
def tag_accuracy(predicted, gold, mask):
    return ((predicted == gold) & mask).double().mean().item()


# %% wrong: pads_are_right — Pads that agree count as hits
# fails: pads_are_neither_right_nor_wrong
def tag_accuracy(predicted, gold, mask):
    return (predicted == gold).sum().item() / mask.sum().item()


# %% wrong: mean_of_sentences — Each sentence counts alike
# fails: it_is_a_share_of_words
def tag_accuracy(predicted, gold, mask):
    right = ((predicted == gold) & mask).sum(1) / mask.sum(1)
    return right.mean().item()


# %% wrong: mask_inverted — The share among the pads
# fails: three_of_four_by_hand
def tag_accuracy(predicted, gold, mask):
    return (predicted[~mask] == gold[~mask]).double().mean().item()


# %% wrong: zero_is_the_pad — Goes by the gold tag instead of the mask
# fails: accuracies_of_other_batches
def tag_accuracy(predicted, gold, mask):
    real = gold != 0
    return (predicted[real] == gold[real]).double().mean().item()


# %% wrong: errors_for_hits — The share of wrong ones
# fails: three_of_four_by_hand, pads_are_neither_right_nor_wrong
def tag_accuracy(predicted, gold, mask):
    return (predicted[mask] != gold[mask]).double().mean().item()


# %% wrong: whole_sentences — Counts sentences that are right as a whole
# fails: three_of_four_by_hand, it_is_a_share_of_words
def tag_accuracy(predicted, gold, mask):
    return ((predicted == gold) | ~mask).all(1).double().mean().item()


# %% wrong: percent — 75 for three of four
# fails: three_of_four_by_hand
def tag_accuracy(predicted, gold, mask):
    return 100 * (predicted[mask] == gold[mask]).double().mean().item()
