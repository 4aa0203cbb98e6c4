"""The catalog: names that do not exist, files with faults."""

MESSAGES = {
    "alias_taken": "{file}, line {line}: the alias {alias!r} already belongs to {owner}.",
    "ambiguous_machine": "{name!r} names machines with different accelerators; write {names}.",
    "approximate_compressed": "compressed attention is counted as full attention",
    "approximate_hybrid": (
        "three of four layers, or some of them, are linear attention (gated delta nets)"
    ),
    "approximate_per_layer_inputs": (
        "embeddings per layer and shared key-value layers are left out"
    ),
    "approximate_shared_width": (
        "the width of the shared expert is no multiple of an expert and was rounded"
    ),
    "approximate_sparse": (
        "sparse attention is counted as full attention, and its indexer is left out"
    ),
    "approximate_unknown_type": (
        "the model type is not known to costcalc and is counted like a Llama"
    ),
    "bad_id": "{file}, line {line}: {name!r} is not a valid id; write {right!r}.",
    "config_binary": "{file} is not text; a Hugging Face config.json was expected.",
    "config_boolean": "{file}: {field} must be true or false.",
    "config_constant": "{file}: {value} is not a number that a config may hold.",
    "config_diffusion": (
        "{file} describes a diffusion model; costcalc covers decoder-only language models."
    ),
    "config_empty": "{file} is empty; a Hugging Face config.json was expected.",
    "config_encoder": (
        "{file} describes an encoder ({kind}) that writes no text; costcalc covers "
        "decoder-only language models."
    ),
    "config_encoder_decoder": (
        "{file} describes an encoder-decoder model ({kind}); costcalc covers decoder-only "
        "language models."
    ),
    "config_head_dim": (
        "{file}: hidden_size {hidden} is not a multiple of num_attention_heads {heads}, and "
        "head_dim is missing."
    ),
    "config_heads": (
        "{file}: num_attention_heads {heads} is not a multiple of num_key_value_heads {kv_heads}."
    ),
    "config_inner": "{file}: {field} must be an object.",
    "config_json": "{file}, line {line}: not valid JSON ({reason}).",
    "config_layer_type": "{file}: layer_types holds {value!r}; known are {names}.",
    "config_linear": (
        "{file}: the shape of the linear-attention layers of {kind} is not known to costcalc."
    ),
    "config_missing": "{file}: the key {field} is missing; the config of a decoder has it.",
    "config_number": "{file}: {field} must be a whole number from {low} to {high}, not {value}.",
    "config_numbers": "{file}: {field} must be a list of whole numbers.",
    "config_object": "{file}: a JSON object was expected, as in a Hugging Face config.json.",
    "config_odd": "{file}: the JSON is nested too deeply or holds a number that is too long.",
    "config_per_layer": "{file}: {field} must be a list of {layers} words, one for each layer.",
    "config_state_space": (
        "{file} describes a model with state-space or recurrent layers ({kind}), whose work "
        "the transformer arithmetic does not cover."
    ),
    "config_vision": (
        "{file} describes a vision model ({kind}); costcalc covers decoder-only language models."
    ),
    "duplicate_entry": "{file}, line {line}: {name!r} is already defined.",
    "duplicate_offer": "{file}, line {line}: the same offer twice ({name}); first in {first}.",
    "ended_before": "{file}, line {line}: ended {value} lies before as_of {as_of}.",
    "file_encoding": "{file}, line {line}: the file is not UTF-8.",
    "file_is_folder": "{file} is a folder; a file was expected.",
    "file_link_loop": "{file} is a link that leads back to itself.",
    "file_missing": "{file} does not exist.",
    "file_size": "{file} is larger than {limit_mb} MB.",
    "file_suffix": "{file}: catalog files end in .yaml; rename it.",
    "file_unreadable": "{file} cannot be read: {reason}.",
    "folder_empty": (
        "{folder} holds no catalog; expected accelerators/, offers/, models/ and rates.yaml."
    ),
    "folder_missing": "{folder}: there is no such catalog folder.",
    "hardware_count": (
        "--on: {name!r} names no number of accelerators; write for example {name}:8."
    ),
    "hardware_empty": "--on: {text!r} names no accelerator; write for example h100:8.",
    "layers_differ": "{file}, line {line}: {field} covers {total} layers, the model has {layers}.",
    "matmul_above_peak": "{file}, line {line}: {field} {value} exceeds the dense peak {peak}.",
    "missing_key": "{file}, line {line}: {field} is missing.",
    "no_accelerator": "There is no accelerator or machine named {name!r}. Nearest: {names}.",
    "no_instance": "No offer has the instance type {name!r}. Nearest: {names}.",
    "no_model": "There is no model named {name!r}, and no file. Nearest: {names}.",
    "no_provider": "No offer is of a provider {name!r}. Nearest: {names}.",
    "no_rate": "The catalog has no USD/MXN rate as old as {as_of}; its first is of {first}.",
    "no_region": "No offer lies in a region {name!r}. Nearest: {names}.",
    "no_sort": "There is no sort key {name!r}. Nearest: {names}.",
    "not_a_slice": "There is no slice {name!r}. Nearest: {names}.",
    "out_of_range": "{file}, line {line}: {field} {value} must lie between {low} and {high}.",
    "price_does_not_scale": (
        "{file}, line {line}: {price} USD for {count} accelerators does not fit {other} USD "
        "for {other_count} in the same family; is it the price of one accelerator?"
    ),
    "price_mismatch": (
        "{file}, line {line}: {whole} USD per instance-hour is not {count} x {single} USD per"
        " accelerator-hour; {count} accelerators would be {right} each."
    ),
    "regions_missing": (
        "{file}, line {line}: {field} is one price without a region; write a mapping of "
        "regions, or region_scope with what the price covers."
    ),
    "room_missing": "The catalog {folder} has no {room}.",
    "scope_with_regions": (
        "{file}, line {line}: {field} lists regions although region_scope is {scope!r}."
    ),
    "unknown_accelerator": "{file}, line {line}: no accelerator {name!r}. Nearest: {names}.",
    "unknown_key": "{file}, line {line}: unknown key {field!r}. Nearest: {names}.",
    "unknown_region": "{file}, line {line}: no region {field!r} in this folder.",
    "unknown_source": "{file}, line {line}: no source {name!r} in sources. Nearest: {names}.",
    "want_boolean": "{file}, line {line}: {field} must be true or false.",
    "want_choice": "{file}, line {line}: {field} {value!r} is not valid. Nearest: {names}.",
    "want_country": (
        "{file}, line {line}: {field} must be an ISO 3166 code of two capital letters, MX."
    ),
    "want_date": "{file}, line {line}: {field} {value!r} must be a date such as 2026-12-01.",
    "want_list": "{file}, line {line}: {field} must be a list.",
    "want_mapping": "{file}, line {line}: {field} must be a mapping.",
    "want_number": "{file}, line {line}: {field} must be a number.",
    "want_region_id": "{file}, line {line}: {field!r} must be provider/region, gcp/us-central1.",
    "want_rising": "{file}, line {line}: {field} must rise from one item to the next.",
    "want_text": "{file}, line {line}: {field} must be text.",
    "want_whole": "{file}, line {line}: {field} must be a whole number.",
    "yaml": "{file}, line {line}: not valid YAML ({reason}).",
    "yaml_anchor": "{file}, line {line}: YAML aliases (*name) are not supported; write it out.",
    "yaml_depth": "{file}: nested too deeply.",
    "yaml_duplicate": "{file}, line {line}: the key {field!r} appears twice.",
    "yaml_key": "{file}, line {line}: a key must be a single word or text.",
    "yaml_tag": "{file}, line {line}: the YAML tag {tag} is not supported.",
}
