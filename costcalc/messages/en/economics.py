"""What-ifs, hosted models beside own machines, break-even."""

MESSAGES = {
    "assume_without": "--assume leaves no room for {options}: nobody rents out the chip. Leave it "
    "out.",
    "assume_missing": "--assume needs {names} as well, for example {example}.",
    "assume_rentable": "{name} can be rented: the catalog has its prices and the model its rate. "
    "--assume is for chips that are only announced.",
    "assume_serves_only": "{name} does not train: it is announced for inference only.",
    "assumed": "ASSUMPTION",
    "assumed_basis": "USD {usd} per accelerator and hour, {rate} tokens/s per accelerator; "
    "assumed by you, nobody offers it",
    "assumed_system": "{accelerators} x {accelerator}, announced only",
    "assumed_time": "{hours}, if the assumption holds; no range",
    "no_extra": "--versus-api needs genai-prices: pip install 'costcalc[api]'.",
    "api_free": "{name} has no price: it is given away within limits, which no traffic can be planned on.",
    "api_provider": "No hosted provider {name!r}. Nearest: {names}.",
    "api_unknown": "No hosted model {name!r}. Nearest: {names}.",
    "api_model": "{provider} hosts no {name!r}. Nearest: {names}.",
    "api_several": "{name!r} can mean several hosted models; name one of: {names}.",
    "api_empty": "--versus-api {name!r} names no model; it is MODEL@PROVIDER, for example {example}.",
}
