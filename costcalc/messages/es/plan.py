"""Planes: qué está mal en ellos y cómo sería correcto."""

MESSAGES = {
    "above": "{what}: {text} debe ser mayor que {low}.",
    "catalog_pin": "{what}: el plan está fijado al catálogo {wanted}, pero se usa el catálogo "
    "{found}; cambie el valor después de ver costcalc diff, o elija el catálogo con --catalog.",
    "choice": "{what}: no se conoce {text}; hay {names}.",
    "choice_near": "{what}: no se conoce {text}; ¿quiso decir {near}? Hay {names}.",
    "duplicate_name": "{what}: dos cargas se llaman {name!r}; cada nombre debe ser único.",
    "electricity_missing": "{what}: power necesita un precio de la electricidad; agregue tariff "
    "(como cfe-gdmth-bajio) o electricity_price (como 2.20MXN, por kWh).",
    "empty": "el archivo está vacío; un plan necesita version, name y workloads.",
    "empty_list": "{what}: necesita al menos un elemento.",
    "flag": "{what}: {text} no es true ni false.",
    "flag_word": "{what}: {text} es texto aquí; escriba true o false.",
    "fx_source": "{what}: source acompaña a un tipo de cambio; agregue rate o quite source.",
    "invalid": "{what}: {text} no se puede usar aquí.",
    "kind_missing": "{what}: falta la clave kind; hay {names}.",
    "list_expected": "{what}: {text} está donde va una lista (líneas que empiezan con '- ').",
    "mapping_expected": "{what}: {text} está donde van claves (líneas como 'clave: valor').",
    "missing": "{what}: falta: {name}; se necesitan {names}.",
    "more_problems": "… y {count} más.",
    "no_profiles": (
        "{what}: el plan no tiene perfiles (profiles), así que no hay ningún perfil {name!r}."
    ),
    "no_runs": (
        "{what}: la carga {name!r} no tiene corridas, así que no se puede calcular el ahorro por "
        "corrida; agréguele hours y runs_per_month."
    ),
    "no_such_item": "{what}: no hay ningún elemento {name!r}; hay: {names}.",
    "no_such_profile": "{what}: no hay ningún perfil {name!r}; hay: {names}.",
    "no_such_workload": "{what}: no hay ninguna carga {name!r}; hay: {names}.",
    "not_a_mapping": "el archivo no es un plan: debe tener claves como version, name y workloads.",
    "one_off_cost": "{what}: dé cost, o bien hours y rate.",
    "power": "{what}: {text} no es una potencia eléctrica; escriba por ejemplo 10.2kW "
    "(unidades: {names}).",
    "power_missing": "{what}: un precio de la electricidad necesita power; agregue por ejemplo "
    "power: 10.2kW.",
    "pue_missing": "{what}: power necesita el pue del lugar (1 es sin consumo adicional, 1.5 es la "
    "mitad más para enfriamiento).",
    "set_path": "{what}: la ruta está vacía; escriba por ejemplo workloads.ajuste.on=h100:16.",
    "set_through_value": "{what}: {name} es un valor y no tiene claves debajo.",
    "set_value": "--set {text}: escriba RUTA=VALOR, por ejemplo workloads.ajuste.on=h100:16.",
    "sexagesimal": "{what}: {text} con dos puntos es texto aquí; escriba las horas como número o "
    "como 36h.",
    "shares": "{what}: base_share, intermediate_share y peak_share suman {total}, no 100%.",
    "size": "{what}: {text} no es una cantidad de datos; escriba por ejemplo 500GB "
    "(unidades: {names}).",
    "text": "{what}: {text} no es texto; póngalo entre comillas.",
    "text_length": "{what}: {text} debe ser una línea de 1 a {longest} caracteres.",
    "two_electricity_prices": "{what}: dé tariff o electricity_price, no los dos.",
    "two_savings": "{what}: dé saving_per_run o pays_back, no los dos.",
    "unknown_key": "{what}: no se conoce la clave {name}; hay {names}.",
    "unknown_key_near": "{what}: no se conoce la clave {name}; ¿quiso decir {near}?",
    "unknown_provider": "{what}: el catálogo no tiene ofertas ni precios del proveedor {name!r}; "
    "hay: {names}.",
    "version": "{what}: no se conoce {text}; este costcalc lee version: 1.",
    "too_many": "{what}: {count:,} elementos; un plan puede tener {most:,}.",
    "kind_without_price": "{what}: este costcalc no puede cotizar cargas de tipo {kind}.",
    "same_provider": "{what}: un proveedor se nombra dos veces.",
}
