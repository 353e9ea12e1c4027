"""The boundary: what passes between the grader and a student's process, and how.

Student code runs in a process of its own. Only typed plain data and tensors cross, in bounded frames; no pickle, no
code, no object with operators of its own. Whatever the student's process sends is hostile input.

Read on in this order: `wire` (what may cross), `encoding` and `decoding` (plain data to bytes and back), `channel`
(frames on a socket), `standin` (the grader's side: a check's `answer`), `session` (one process, asked), `child` (the
student's side), `arguments` (what it was given), `space` (what the notebook's names mean, by exercise), `shell` and
`outputs` (running cells and keeping what they show).
"""

__all__ = ["channel", "child", "decoding", "encoding", "outputs", "session", "shell", "standin", "wire"]
