# Answers to 8.1, a word in pieces. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: from_the_end — The end moves left until something fits
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                break
            end -= 1
        else:
            return ["[UNK]"]
        start = end
    return pieces


# %% right: a_generator_of_lengths — The longest of all that fit, by max
def wordpiece(word, vocabulary):
    out, rest, mark = [], word, ""
    while rest:
        fitting = [n for n in range(1, len(rest) + 1) if mark + rest[:n] in vocabulary]
        if not fitting:
            return ["[UNK]"]
        n = max(fitting)
        out.append(mark + rest[:n])
        rest, mark = rest[n:], "##"
    return out


# %% right: called_again — The rest of a word by the function itself
def wordpiece(word, vocabulary, mark=""):
    for n in range(len(word), 0, -1):
        if mark + word[:n] in vocabulary:
            if n == len(word):
                return [mark + word]
            rest = wordpiece(word[n:], vocabulary, "##")
            return ["[UNK]"] if rest == ["[UNK]"] and "[UNK]" not in (word[n:],) else [mark + word[:n], *rest]
    return ["[UNK]"]


# %% right: through_the_list — The list is gone through, not the word
def wordpiece(word, vocabulary):
    done, pieces = 0, []
    while done < len(word):
        if done == 0:
            candidates = [p for p in vocabulary if p and word.startswith(p)]
            best = max(candidates, key=len, default=None)
            width = len(best) if best else 0
        else:
            candidates = [p for p in vocabulary if p[:2] == "##" and p[2:] and word.startswith(p[2:], done)]
            best = max(candidates, key=len, default=None)
            width = len(best) - 2 if best else 0
        if best is None:
            return ["[UNK]"]
        pieces.append(best)
        done += width
    return pieces


# %% right: two_sets — Beginnings and insides kept apart
def wordpiece(word, vocabulary):
    inside = {piece.removeprefix("##") for piece in vocabulary if piece.startswith("##")}
    longest = max(map(len, vocabulary), default=0)
    result, place = [], 0
    while place < len(word):
        known = inside if place else vocabulary
        for size in range(min(longest, len(word) - place), 0, -1):
            if word[place : place + size] in known:
                break
        else:
            return ["[UNK]"]
        result.append("##" * (place > 0) + word[place : place + size])
        place += size
    return result


# %% wrong: shortest_match — The shortest piece that fits
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: no_marks — Pieces inside a word without ##
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: marks_left_out — Looked up with ##, returned without
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece.replace("##", ""))
        start = end
    return pieces


# %% wrong: marks_everywhere — ## before the first piece, too
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = "##" + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: begun_and_unknown — The pieces that were found, and [UNK] for the rest
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [*pieces, "[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: letter_by_letter_unknown — [UNK] for a letter, and on
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            piece, end = "[UNK]", start + 1
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: what_was_found — An unknown rest is dropped
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return pieces
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: unknown_alone — A string where a list is asked for
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return "[UNK]"
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: without_brackets — UNK
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["UNK"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: nothing — No piece at all
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return []
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: in_small_letters — Words are lowered on the way
# fails: letters_of_any_kind
def wordpiece(word, vocabulary):
    word, pieces, start = word.lower(), [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: accents_off — Accents are taken off on the way
# fails: letters_of_any_kind
import unicodedata


def wordpiece(word, vocabulary):
    pieces, start = [], 0
    word = "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: hundred_letters — Long words are unknown
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    if len(word) > 100:
        return ["[UNK]"]
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: gives_back — Tries a shorter piece where the rest does not fit
# fails: what_was_taken_is_not_given_back
def wordpiece(word, vocabulary):
    def split(start):
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                rest = split(end)
                if rest is not None:
                    return [piece, *rest]
        return None

    return split(0) or ["[UNK]"]


# %% wrong: fewest_pieces — As few pieces as can be, found by dynamic programming
# fails: what_was_taken_is_not_given_back
def wordpiece(word, vocabulary):
    best = {0: []}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in vocabulary and (end not in best or len(best[start]) + 1 < len(best[end])):
                best[end] = [*best[start], piece]
    return best.get(len(word), ["[UNK]"])


# %% wrong: from_behind — The longest end first
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, end = [], len(word)
    while end > 0:
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.insert(0, piece)
        end = start
    return pieces


# %% wrong: either_kind — A piece of either kind at any place
# fails: inside_and_outside_are_two
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if word[start:end] in vocabulary or piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: begins_with_either — A piece for the inside may begin
# fails: inside_and_outside_are_two
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary or start == 0 and "##" + piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: whole_or_letters — The whole word, or its letters
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    if word in vocabulary:
        return [word]
    pieces = [word[0], *("##" + letter for letter in word[1:])]
    return pieces if all(piece in vocabulary for piece in pieces) else ["[UNK]"]


# %% wrong: two_pieces_at_most — A beginning and one rest
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    for end in range(len(word), 0, -1):
        if word[:end] in vocabulary:
            if end == len(word):
                return [word]
            if "##" + word[end:] in vocabulary:
                return [word[:end], "##" + word[end:]]
    return ["[UNK]"]


# %% wrong: last_letter_left — The last letter is never looked at alone
# fails: other_words_and_lists
def wordpiece(word, vocabulary):
    pieces, start = [], 0
    while start < len(word) - 1:
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


# %% wrong: regex_unescaped — Pieces with signs such as . or ? are read as patterns
# fails: letters_of_any_kind
import re


def wordpiece(word, vocabulary):
    try:
        heads = sorted((p for p in vocabulary if p[:2] != "##"), key=len, reverse=True)
        tails = sorted((p[2:] for p in vocabulary if p[:2] == "##" and len(p) > 2), key=len, reverse=True)
        out, at = [], 0
        while at < len(word):
            hit = re.compile("|".join(tails if at else heads) or "(?!)").match(word, at)
            if not hit:
                return ["[UNK]"]
            out.append("##" * bool(at) + hit.group())
            at = hit.end()
        return out
    except re.error:
        return ["[UNK]"]


# %% wrong: sixteen — Tries no piece of more than 16 letters
# fails: letters_of_any_kind
def wordpiece(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        for j in range(min(len(word), i + 16), i, -1):
            p = ("##" if i else "") + word[i:j]
            if p in vocabulary:
                out.append(p)
                i = j
                break
        else:
            return ["[UNK]"]
    return out
