"""Advertencias de una cotización; las claves son los códigos del JSON."""

MESSAGES: dict[str, str] = {
    "estimated_price": "el precio de {what} es una estimación, no un precio de lista ({source})",
    "not_sold_on_demand": "{accelerator} no se vende bajo demanda; se cotiza como {purchase}",
    "old_price": "el precio de {what} es del {date}, tiene {days} días; los precios se mueven",
    "old_rate": "el tipo de cambio es del {date}, tiene {days} días",
    "uniform_price": "{provider} publica un solo precio para muchas regiones ({scope}): prueba el "
    "precio, no que el acelerador esté en una región dada",
    "whole_machines": "se pidieron {asked} aceleradores; las máquinas completas traen {rented}, y "
    "todos se pagan",
}
