"""Requests to a voice assistant: each with its intent, one of seven, and its slots as spans of words.

Coucke and others, "Snips Voice Platform" (2018). A file holds the requests of one intent, each as pieces of text, some
of them named: "play", "thriller" (track), "by", … Here a request is words with a tag each, in the BIO scheme of Ramshaw
and Marcus, "Text chunking using transformation-based learning" (1995): B-track begins a span, I-track goes on with it,
O is outside of all. The official validation files are the test part; a tenth of the training files, drawn by seed,
is for choosing. Left out on purpose: what a slot's value means, and punctuation marks as words of their own.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from unrolled.data import DataError, path
from unrolled.data.places import say_once

INTENTS = (
    "AddToPlaylist",
    "BookRestaurant",
    "GetWeather",
    "PlayMusic",
    "RateBook",
    "SearchCreativeWork",
    "SearchScreeningEvent",
)


@dataclass(frozen=True)
class Utterance:
    """Words, a BIO tag for each, and the intent of the whole."""

    words: list[str]
    tags: list[str]
    intent: str


def snips(seed: int = 0, stand_in: bool = True) -> dict[str, list[Utterance]]:
    """The parts "train", "dev" and "test"; test has 100 requests of each intent.

    Where the data cannot be had, made requests stand in, and one line says so; stand_in=False: DataError.
    """
    try:
        texts = {kind: [_text(f"snips/{kind}_{intent}.json") for intent in INTENTS] for kind in ("train", "val")}
    except DataError:
        if not stand_in:
            raise
        say_once("Snips cannot be had (`python -m unrolled.data snips` says why): made requests stand in.")
        return {"train": made_utterances(1500, 0), "dev": made_utterances(200, 1), "test": made_utterances(200, 2)}
    train = [utterance for text in texts["train"] for utterance in read_snips(text)]
    random.Random(seed).shuffle(train)
    cut = len(train) // 10
    return {"train": train[cut:], "dev": train[:cut], "test": [u for text in texts["val"] for u in read_snips(text)]}


def _text(file: str) -> str:
    raw = path("snips", file).read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:  # some of the files were written in another encoding
        return raw.decode("latin-1")


def read_snips(text: str) -> list[Utterance]:
    """The requests of one file: a dictionary with one intent, and its requests as pieces of text."""
    ((intent, requests),) = json.loads(text).items()
    return [_utterance(request["data"], intent) for request in requests]


def _utterance(pieces: Sequence[dict[str, str]], intent: str) -> Utterance:
    words, tags = [], []
    for piece in pieces:
        found = piece["text"].split()
        words += found
        tags += bio(len(found), piece.get("entity"))
    return Utterance(words, tags, intent)


def bio(length: int, name: str | None) -> list[str]:
    """The tags of a span of that many words; None for words outside of all spans."""
    if name is None:
        return ["O"] * length
    return [f"{'I' if i else 'B'}-{name}" for i in range(length)]


# --- the stand-in ----------------------------------------------------------------------------------------------------

# fmt: off
WHAT = {  # slots of the made requests
    "track": ["silver rain", "the last train home", "monday", "a song for nobody"],
    "artist": ["mira volk", "the lanterns", "old harbour choir", "tomas"],
    "playlist": ["my morning", "quiet hours", "road songs", "sunday lunch"],
    "city": ["new york", "port ellis", "lima", "saint john"],
    "timeRange": ["tomorrow", "next week", "in two hours", "on friday evening"],
    "object_name": ["the hollow crown", "night gardens", "seven bridges", "tomorrow"],
    "rating_value": ["one", "two", "five", "0"],
    "party_size_number": ["two", "five", "seven", "9"],
}
ASKED = {
    "AddToPlaylist": ["add {track} to {playlist}", "put {artist} on {playlist} please"],
    "BookRestaurant": ["book a table for {party_size_number} in {city} {timeRange}", "a table in {city} {timeRange}"],
    "GetWeather": ["what is the weather in {city} {timeRange}", "will it rain {timeRange} in {city}"],
    "PlayMusic": ["play {track} by {artist}", "play something by {artist}"],
    "RateBook": ["give {object_name} {rating_value} stars", "rate {object_name} {rating_value} out of five"],
    "SearchCreativeWork": ["find {object_name}", "show me the book {object_name}"],
    "SearchScreeningEvent": ["when is {object_name} on in {city}", "films in {city} {timeRange}"],
}
# fmt: on


def made_utterances(n: int, seed: int) -> list[Utterance]:
    """n made requests of the same seven intents, each intent as often as any other."""
    chance = random.Random(seed)
    return [_made_utterance(chance, chance.choice(INTENTS)) for _ in range(n)]


def _made_utterance(chance: random.Random, intent: str) -> Utterance:
    pieces = []
    for part in chance.choice(ASKED[intent]).split():
        slot = part.strip("{}") if part.startswith("{") else None
        pieces.append({"text": chance.choice(WHAT[slot]), "entity": slot} if slot else {"text": part})
    return _utterance(pieces, intent)
