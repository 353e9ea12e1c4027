"""From a checkpoint of the pre-training to the files that the course brings: weights, settings, list, log and a card.

    python -m unrolled.experiments.bert.ship --kept FOLDER --pieces vocab.txt [--out assets/bert/small]

The weights are float16, named as the library `transformers` names them, so that both it and `unrolled.bert_checkpoints`
read them. The card is written from the log alone: what a run did not write down does not stand there.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import torch

from unrolled.bert import BertConfig, PretrainedBert
from unrolled.bert_checkpoints import renamed, write_safetensors
from unrolled.errors import OneLineError
from unrolled.experiments.bert.recipes import Recipe
from unrolled.wordpiece import WordPiece

MOST = 16_000_000  # bytes of the weights that the course brings
DATA = "thirty books in English, as Standard Ebooks has them, without every twentieth chapter"
BACK = (  # a part of our names, and what stands there in theirs, in the order in which it is replaced
    (r"\.gamma$", ".weight"),
    (r"\.beta$", ".bias"),
    (r"^bert\.blocks\.(\d+)\.", r"bert.encoder.layer.\1."),
    (r"\.attention\.(query|key|value)\.", r".attention.self.\1."),
    (r"\.attention\.output\.", ".attention.output.dense."),
    (r"\.norms\.0\.", ".attention.output.LayerNorm."),
    (r"\.norms\.1\.", ".output.LayerNorm."),
    (r"\.feed_forward\.first\.", ".intermediate.dense."),
    (r"\.feed_forward\.second\.", ".output.dense."),
    (r"\.embeddings\.pieces\.", ".embeddings.word_embeddings."),
    (r"\.embeddings\.positions\.", ".embeddings.position_embeddings."),
    (r"\.embeddings\.segments\.", ".embeddings.token_type_embeddings."),
    (r"\.embeddings\.norm\.", ".embeddings.LayerNorm."),
    (r"^bert\.pooler\.", "bert.pooler.dense."),
    (r"^masked\.transform\.", "cls.predictions.transform.dense."),
    (r"^masked\.norm\.", "cls.predictions.transform.LayerNorm."),
    (r"^masked\.bias$", "cls.predictions.bias"),
    (r"^following\.", "cls.seq_relationship."),
)


class ShippingError(OneLineError):
    """A checkpoint cannot be shipped; the message says why."""


def their_name(name: str) -> str:
    """The name of `transformers` for a tensor of a PretrainedBert. ShippingError for one that has none."""
    theirs = name
    for ours, other in BACK:
        theirs = re.sub(ours, other, theirs)
    if renamed(theirs.removeprefix("bert.")) != name.removeprefix("bert."):
        raise ShippingError(f"there is no name for {name}: is it a PretrainedBert's?")
    return theirs


def settings(config: BertConfig) -> dict:
    """config.json."""
    return {
        "architectures": ["BertForPreTraining"],
        "model_type": "bert",
        "vocab_size": config.pieces,
        "hidden_size": config.width,
        "num_attention_heads": config.heads,
        "num_hidden_layers": config.layers,
        "intermediate_size": config.inner,
        "max_position_embeddings": config.longest,
        "type_vocab_size": config.segments,
        "hidden_act": "gelu",
        "hidden_dropout_prob": config.dropout,
        "attention_probs_dropout_prob": 0.0,
        "layer_norm_eps": config.eps,
        "pad_token_id": 0,
    }


def write(model: PretrainedBert, pieces: WordPiece, log: list[dict], told: dict[str, str], folder: Path) -> int:
    """All files into a folder; told: what the card says of data and training. The bytes of the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {their_name(name): tensor.half() for name, tensor in model.state_dict().items()}
    if not all(tensor.isfinite().all() for tensor in tensors.values()):
        raise ShippingError("a weight is no finite number in float16: this net cannot be shipped")
    write_safetensors(tensors, folder / "model.safetensors")
    size = (folder / "model.safetensors").stat().st_size
    if size > MOST:
        raise ShippingError(f"the weights take {size:,} bytes: the course brings at most {MOST:,}")
    (folder / "config.json").write_text(json.dumps(settings(model.bert.config), indent=1) + "\n", encoding="utf-8")
    pieces.write(folder / "vocab.txt")
    (folder / "log.json").write_text(json.dumps(log) + "\n", encoding="utf-8")
    (folder / "card.md").write_text(card(model, log, told, size), encoding="utf-8")
    return size


def card(model: PretrainedBert, log: list[dict], told: dict[str, str], size: int) -> str:
    """What a user should know, in Markdown."""
    config, last = model.bert.config, log[-1]
    heldout, count = last["heldout"], sum(p.numel() for p in model.parameters())
    lines = [
        "# A small BERT, trained by the course itself",
        "",
        f"{config.layers} layers, width {config.width}, {config.heads} heads, {config.pieces:,} pieces, up to "
        f"{config.longest} of them in a text; {count:,} parameters with both heads, {size:,} bytes in float16.",
        "",
        *(f"- {name}: {what}" for name, what in told.items()),
        f"- steps: {last['step']:,}, in {last['seconds'] / 60:.0f} minutes by the clock",
        "",
        "| on held-out chapters | |",
        "|---|---|",
        f"| hidden pieces, cross-entropy | {heldout['masked']:.4f} nats |",
        f"| hidden pieces that are guessed right | {heldout['masked right']:.4f} |",
        f"| does the second passage follow? cross-entropy | {heldout['following']:.4f} nats |",
        f"| does the second passage follow? right | {heldout['following right']:.4f} |",
        f"| for comparison: pieces by their frequency alone | {heldout['unigram']:.4f} nats |",
        f"| for comparison: the commonest piece, always | {heldout['commonest']:.4f} right |",
        "",
        "Held-out pairs are as long as those of the end of the training. `log.json` has a line for each measurement.",
        "It has read old books in English, and nothing else: it says what they say, and knows little of the world.",
        "Weights and card: CC BY 4.0. Made by `python -m unrolled.experiments.bert.pretrain`, then `….ship`.",
    ]
    return "\n".join(lines) + "\n"


def read_kept(folder: Path, pieces: WordPiece) -> tuple[PretrainedBert, list[dict]]:
    """The net and the log of a checkpoint that `pretrain` wrote. ShippingError if there is none, or no measurement."""
    try:
        found = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)
        kept, state = found["settings"], found["state"]
        model = Recipe(**kept).net()
        model.load_state_dict(state["model"])
    except Exception as problem:  # torch raises many kinds for a damaged file
        raise ShippingError(f"{folder} has no checkpoint that can be read ({type(problem).__name__})") from None
    if len(pieces) != kept["pieces"] or not state["told"]["log"]:
        raise ShippingError(f"{folder} was trained with {kept['pieces']:,} pieces, or has no measurement yet")
    return model.eval(), state["told"]["log"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m unrolled.experiments.bert.ship", description="Ship a small BERT.")
    parser.add_argument("--kept", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--pieces", type=Path, required=True, help="the list of pieces, one a line")
    parser.add_argument("--out", type=Path, default=Path("assets/bert/small"))
    parser.add_argument("--data", default=DATA, help="a line for the card")
    parser.add_argument("--training", default="", help="a line for the card: batch, length and rate of the run")
    asked = parser.parse_args()
    try:
        pieces = WordPiece.read(asked.pieces)
        told = {"data": asked.data} | ({"training": asked.training} if asked.training else {})
        model, log = read_kept(asked.kept, pieces)
        size = write(model, pieces, log, told, asked.out)
    except OneLineError as problem:
        sys.exit(str(problem))
    print(f"{asked.out}: {size:,} bytes of weights")


if __name__ == "__main__":
    main()
