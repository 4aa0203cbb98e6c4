"""Reading other tools' files."""

MESSAGES = {
    "too_many_choices": "{where}: more than {limit} alternatives.",
    "nothing_of_format": "{name} holds nothing that {format} would say; leave --as away to see "
    "what it is.",
    "is_plan": "{name} is a plan already; give it to costcalc quote.",
    "open_line": "open: {name}{at}: {text}",
    "read_as": "{file} is read as {format}",
    "origin_default": "{place}, the format's default",
    "origin_derived": "computed: {place}",
    "origin_given": "{place}",
    "two_values": "{name} is given twice: {first} says {first_value}, {second} says "
    "{second_value}; keep one of them.",
    "json_duplicate": "{name}: the key {entry!r} stands twice in one object; keep one of them.",
    "json_number": "{name}: {text} is not a number that can be computed with.",
    "json_syntax": "{name}, line {line}, column {column}: not valid JSON ({problem}).",
    "toml_syntax": "{name}: not valid TOML ({problem}).",
    "not_whole": "{where}: {text} must be a whole number.",
    "out_of_range": "{where}: {text} must lie between {low} and {high}.",
    "not_number": "{where}: {text} is not a number.",
    "not_flag": "{where}: {text} must be true or false.",
    "not_text": "{where}: {text} must be text.",
    "not_power_of_two": "{where}: {text} must be a power of two.",
    "two_resources": "{where}: one pod asks for several kinds of accelerators ({names}); "
    "costcalc quotes one kind per pod.",
    "no_format": "There is no format {name!r}; the nearest are {names}.",
    "foreign_broken": "The reader {name} of another package cannot be used: {reason}.",
    "unknown_file": "{name}: not recognised as any of {names}; name its format with --as.",
    "ambiguous_file": "{name} could be more than one format: {evidence}. Say which, for example"
    " --as {first}.",
    "empty_file": "{name} is empty.",
    "not_a_mapping": "{name} is no {format} file: it must be a mapping of keys to values.",
    "terraform_no_plan": "{name} has neither planned_values nor resource_changes; write it "
    "with: terraform show -json PLAN",
    "terraform_modules": "{name}: more than {limit:,} modules, or modules nested too deep.",
    "nothing_to_quote": "Nothing in {names} can be quoted: no model and no accelerators.",
    "too_many_tokens": "{value} tokens are beyond what can be computed with; check batch, steps"
    " and sequence length.",
    "too_many_files": "At most {limit} files can be read together.",
    "no_set_key": "There is nothing called {name!r} to set; the nearest are {names}.",
    "blanks": "The files leave open: {keys}. Fill it with the options of that name or with --set "
    "KEY=VALUE.{detail}",
    "open_on": "which accelerators, and how many; for example h100:8",
    "open_which_accelerator": "which accelerator; the file says how many ({at}: {chips}); for "
    "example --set accelerator=NAME",
    "open_how_many": "how many; the file names {name} ({at}); for example --set chips=8",
    "open_nodes": "which accelerator and how many nodes; the file says {chips} per node; for "
    "example h100:8",
    "open_any_of": "one of {names}; the file leaves the choice open",
    "open_several": "which of the machines in the files the run uses: {names}",
    "open_two_launchers": "the files {names} each say what the run is launched on; give one of "
    "them, or set it",
    "open_layout": "{chips} chips do not hold the model-parallel degrees of the file "
    "({parallel}); set the number that really runs",
    "open_conflict": "{first} says {first_value}, {second} says {second_value}",
    "open_model": "which model: a name of the catalog or a path to its config.json",
    "open_model_unknown": "the catalog has no model {name} ({at}); give a path to its config.json",
    "open_model_unknown_near": "the catalog has no model {name} ({at}); the nearest are "
    "{names}; or give a path to its config.json",
    "open_dimensions": "the dimensions in the file are not complete, {keys} is missing; name "
    "the model",
    "open_seq_len": "tokens per sequence; for example 4096",
    "open_tokens": "how many tokens; for example 1B",
    "open_tokens_epoch": "tokens in one pass over the data; the file counts epochs",
    "open_tokens_dataset": "tokens in one pass over {names}",
    "open_tokens_at_most": "tokens in one pass over {names}; by the file's limits at most {most:,}",
    "open_tokens_steps": "{steps:,} steps are given; with the number of chips the tokens "
    "follow, or set them",
    "open_hours": "hours that one run takes; for example 36h",
    "open_method": "{name} is neither full, lora nor qlora; set the nearest",
    "open_method_missing": "full, lora or qlora",
    "open_precision": "{name} ({at}) is no precision that there is a rate for; set bf16, fp8 or fp4",
    "open_precision_missing": "bf16, fp8 or fp4",
    "open_lora_rank": "rank of the adapters; for example 16",
}
