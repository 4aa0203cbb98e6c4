"""Files that could not be read safely: YAML, and text files in general."""

MESSAGES = {
    "missing": "{name}: there is no such file.",
    "directory": "{name} is a folder; name a file.",
    "not_regular": (
        "{name} is not a regular file (a pipe, a device or a socket); write it to a file first."
    ),
    "unreadable": "{name} could not be read: {reason}.",
    "symlink_loop": "{name} is a symbolic link that leads back to itself.",
    "too_large": "{name} is larger than {limit}, the most that is read of such a file.",
    "encoding": "{name} is written in {encoding}; save it as UTF-8.",
    "binary": "{name}, line {line}: a NUL byte; this is not a text file.",
    "not_utf8": "{name}, line {line}: not valid UTF-8; save the file as UTF-8.",
    "control": (
        "{name}, line {line}: the control character {code} is not allowed in YAML; remove it."
    ),
    "syntax": "{name}, line {line}, column {column}: not valid YAML ({problem}).",
    "several": (
        "{name} holds {count} YAML documents (the second starts on line {line}); one is expected."
    ),
    "documents": "{name}, line {line}: more than {limit:,} YAML documents in one file.",
    "values": (
        "{name}, line {line}: more than {limit:,} values, counting what aliases repeat; "
        "shorten the file or use fewer aliases."
    ),
    "depth": "{name}, line {line}: nested more than {limit} levels deep.",
    "duplicate": (
        "{name}, line {line}: the key {entry!r} was already given on line {first}; keep one of them."
    ),
    "complex_key": "{name}, line {line}: a key must be plain text, not a list or a mapping.",
    "tag": "{name}, line {line}: the YAML tag {tag} is not accepted; write the value without it.",
    "tag_value": "{name}, line {line}: {text!r} does not fit its tag {tag}.",
    "number": (
        "{name}, line {line}: the number {text} is too long or too large; "
        "put it in quotes if it is text."
    ),
    "alias_unknown": "{name}, line {line}: *{anchor} refers to an anchor that is not defined.",
    "alias_recursive": "{name}, line {line}: *{anchor} contains itself.",
    "merge": "{name}, line {line}: << takes a mapping or a list of mappings.",
}
