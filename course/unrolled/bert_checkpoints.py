"""BERT's weights as others keep them: files of the library `transformers` become nets of `unrolled.bert`.

    bert = load("folder")              # with config.json and model.safetensors, or pytorch_model.bin
    whole = load_pretrained("folder")  # with the heads of the pre-training

A safetensors file is eight bytes for the length of a table, the table (JSON: name, type, shape, from where to where),
and the numbers; it is read and written here without the library. Everything is float32 in memory.
Left out on purpose: files in several parts, and kinds of BERT whose layers are built otherwise.
"""

import json
import re
import struct
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from unrolled.bert import Bert, BertConfig, PretrainedBert
from unrolled.errors import OneLineError

WEIGHTS = "model.safetensors", "pytorch_model.bin"  # the first that is there is read
TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64}
TYPES |= {"I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}

RENAMED = (  # what a name of theirs has, and what stands there in ours, in the order in which it is replaced
    (r"\.gamma$", ".weight"),  # of the oldest files
    (r"\.beta$", ".bias"),
    (r"^encoder\.layer\.(\d+)\.", r"blocks.\1."),
    (r"\.attention\.self\.", ".attention."),
    (r"\.attention\.output\.dense\.", ".attention.output."),
    (r"\.attention\.output\.LayerNorm\.", ".norms.0."),
    (r"\.intermediate\.dense\.", ".feed_forward.first."),
    (r"(\d)\.output\.dense\.", r"\1.feed_forward.second."),
    (r"(\d)\.output\.LayerNorm\.", r"\1.norms.1."),
    (r"^embeddings\.word_embeddings\.", "embeddings.pieces."),
    (r"^embeddings\.position_embeddings\.", "embeddings.positions."),
    (r"^embeddings\.token_type_embeddings\.", "embeddings.segments."),
    (r"^embeddings\.LayerNorm\.", "embeddings.norm."),
    (r"^pooler\.dense\.", "pooler."),
    (r"^cls\.predictions\.transform\.dense\.", "masked.transform."),
    (r"^cls\.predictions\.transform\.LayerNorm\.", "masked.norm."),
    (r"^cls\.predictions\.bias$", "masked.bias"),
    (r"^cls\.seq_relationship\.", "following."),
    (r"(norms\.\d|norm)\.weight$", r"\1.gamma"),
    (r"(norms\.\d|norm)\.bias$", r"\1.beta"),
)
PASSED_OVER = re.compile(r"embeddings\.position_ids$|^cls\.predictions\.decoder\.")  # counted again, or tied
HEADS = "masked.", "following."


class WeightsError(OneLineError):
    """A checkpoint cannot be used; the message says why."""


# --- a file of numbers -----------------------------------------------------------------------------------------------


def read_safetensors(file: str | Path) -> dict[str, Tensor]:
    """Every tensor in a file, by name. WeightsError if it is no such file, or is cut off."""
    try:
        whole = bytearray(Path(file).read_bytes())
        (size,) = struct.unpack_from("<Q", whole)
        if 8 + size > len(whole):
            raise ValueError("the table ends too late")
        table = json.loads(whole[8 : 8 + size])
        numbers = memoryview(whole)[8 + size :]
        return {name: _tensor(numbers, **told) for name, told in table.items() if name != "__metadata__"}
    except OSError as problem:
        raise WeightsError(f"{file} cannot be read: {problem.strerror}") from None
    except (struct.error, ValueError, TypeError, KeyError, AttributeError, RuntimeError, MemoryError) as problem:
        raise WeightsError(f"{file} is no whole safetensors file ({type(problem).__name__}): fetch it again") from None


def _tensor(numbers: memoryview, dtype: str, shape: list[int], data_offsets: list[int]) -> Tensor:
    first, last = data_offsets
    if not 0 <= first <= last <= len(numbers):
        raise ValueError("the numbers end too soon")
    if first == last:
        return torch.zeros(shape, dtype=TYPES[dtype])
    return torch.frombuffer(numbers[first:last], dtype=TYPES[dtype]).reshape(shape)


def write_safetensors(tensors: Mapping[str, Tensor], file: str | Path) -> None:
    """The same file back: tensors in the order of their names."""
    table, parts, at = {}, [], 0
    names = {dtype: name for name, dtype in TYPES.items()}
    for name, tensor in sorted(tensors.items()):
        plain = tensor.detach().cpu().contiguous()
        raw = plain.reshape(-1).view(torch.uint8).numpy().tobytes()
        place = [at, at + len(raw)]
        table[name] = {"dtype": names[plain.dtype], "shape": list(plain.shape), "data_offsets": place}
        parts.append(raw)
        at += len(raw)
    head = json.dumps(table).encode()
    head += b" " * (-len(head) % 8)  # so that the numbers begin at a multiple of eight
    Path(file).write_bytes(struct.pack("<Q", len(head)) + head + b"".join(parts))


# --- a checkpoint ----------------------------------------------------------------------------------------------------


def load(folder: str | Path) -> Bert:
    """The encoder of a checkpoint, with its pooler if it has one, ready for use. WeightsError for what does not fit."""
    folder, config = Path(folder), read_config(folder)
    found = {name: tensor for name, tensor in _ours(folder).items() if not name.startswith(HEADS)}
    return _filled(Bert(config, "pooler.weight" in found), found, folder)


def load_pretrained(folder: str | Path) -> PretrainedBert:
    """A checkpoint with both heads of the pre-training. WeightsError if it has none."""
    folder, config = Path(folder), read_config(folder)
    found = _ours(folder)
    if missing := [head for head in HEADS if not any(name.startswith(head) for name in found)]:
        what = {"masked.": "hidden pieces", "following.": "following passages"}[missing[0]]
        raise WeightsError(f"{folder} has no head for {what}: `load` reads the encoder alone")
    named = {name if name.startswith(HEADS) else f"bert.{name}": tensor for name, tensor in found.items()}
    return _filled(PretrainedBert(config), named, folder)


def read_config(folder: str | Path) -> BertConfig:
    """config.json as settings. WeightsError for one that cannot be read, or a net that is built otherwise."""
    file = Path(folder) / "config.json"
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        settings = BertConfig(
            pieces=told["vocab_size"],
            width=told["hidden_size"],
            heads=told["num_attention_heads"],
            layers=told["num_hidden_layers"],
            inner=told["intermediate_size"],
            longest=told["max_position_embeddings"],
            segments=told["type_vocab_size"],
            dropout=told.get("hidden_dropout_prob", 0.1),
            eps=told.get("layer_norm_eps", 1e-12),
        )
    except OSError as problem:
        raise WeightsError(f"{file} cannot be read: {problem.strerror}") from None
    except (ValueError, TypeError) as problem:
        raise WeightsError(f"{file} is no settings in JSON ({type(problem).__name__})") from None
    except KeyError as problem:
        raise WeightsError(f"{file} does not say {problem}: is it of a BERT?") from None
    for name, wanted in {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}.items():
        if told.get(name, wanted) != wanted:
            raise WeightsError(f"{file} has {name} {told[name]!r}: only {wanted!r} is built here")
    return settings


def _ours(folder: Path) -> dict[str, Tensor]:
    """The numbers of a checkpoint by our names."""
    file = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if file is None:
        raise WeightsError(f"{folder} has neither {' nor '.join(WEIGHTS)}")
    theirs = read_safetensors(file) if file.suffix == ".safetensors" else _read_bin(file)
    bare = {name.removeprefix("bert."): tensor for name, tensor in theirs.items()}
    return {renamed(name): tensor for name, tensor in bare.items() if not PASSED_OVER.search(name)}


def _read_bin(file: Path) -> dict[str, Tensor]:
    try:
        return dict(torch.load(file, map_location="cpu", weights_only=True))
    except Exception as problem:  # torch raises many kinds for a damaged file
        raise WeightsError(f"{file} cannot be read ({type(problem).__name__}): fetch it again") from None


def renamed(name: str) -> str:
    """Our name of a tensor of theirs."""
    for theirs, ours in RENAMED:
        name = re.sub(theirs, ours, name)
    return name


def _filled(model: nn.Module, found: dict[str, Tensor], folder: Path) -> nn.Module:
    wanted = {name: tensor.shape for name, tensor in model.state_dict().items()}
    for name, shape in wanted.items():
        if name not in found:
            raise WeightsError(f"{folder} has no numbers for {name}")
        if found[name].shape != shape:
            raise WeightsError(f"{folder}: {name} has shape {tuple(found[name].shape)}, the settings {tuple(shape)}")
    if more := sorted(found.keys() - wanted.keys()):
        raise WeightsError(f"{folder} has numbers for {more[0]}, which no BERT of these settings has")
    model.load_state_dict({name: found[name].float() for name in wanted})
    return model.eval()
