"""Options of commands that take other tools' files."""

MESSAGES = {
    "panel": "Files of other tools",
    "panel_fill": "Fill what the files leave open",
    "files": "Configs, manifests or plans of other tools that belong to one run.",
    "as": "Format of the files, instead of telling it by their content.",
    "set": "Fill or replace what the files say: a key of the plan, accelerator, chips, steps; "
    "NAME.KEY for one workload of several. Repeatable.",
    "kind": "What the files are wanted for, instead of telling it by their content.",
    "explain": "Show what was understood, each with the key, file and line it came from.",
    "format": "yaml or json.",
    "hours": "Hours that one run takes.",
    "only_with_files": "{name} needs a file to read.",
}
