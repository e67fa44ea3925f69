"""Units of measurement: which dimension a unit has and how to bring it to a common one.

Factors are the SI definitions (BIPM, The International System of Units, 9th edition); a year is 365
days and a month 30.4, since papers round them. Units of one dimension are compared, others never:
mg/kg stays mass per mass and isn't compared with a percentage.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# The Greek letter mu stands for micro, as `retrieval.text.normalise` writes it.
_TABLE = {
    "mass": "kg:1e3 g:1 mg:1e-3 μg:1e-6 ug:1e-6 mcg:1e-6 ng:1e-9 pg:1e-12 fg:1e-15 gram:1 grams:1"
    " milligrams:1e-3 micrograms:1e-6 kilogram:1e3 kilograms:1e3 tonnes:1e6",
    "volume": "L:1 l:1 dL:.1 dl:.1 mL:1e-3 ml:1e-3 μL:1e-6 μl:1e-6 uL:1e-6 ul:1e-6 nL:1e-9 nl:1e-9"
    " cc:1e-3 litre:1 litres:1 liter:1 liters:1 millilitres:1e-3 milliliters:1e-3",
    "time": "s:1 sec:1 second:1 seconds:1 ms:1e-3 μs:1e-6 min:60 mins:60 minute:60 minutes:60"
    " h:3600 hr:3600 hrs:3600 hour:3600 hours:3600 d:86400 day:86400 days:86400 week:604800"
    " weeks:604800 wk:604800 wks:604800 month:2626560 months:2626560 mo:2626560 yr:31536000"
    " year:31536000 years:31536000 yrs:31536000 y:31536000 decade:315360000 decades:315360000",
    "length": "km:1e3 m:1 cm:1e-2 mm:1e-3 μm:1e-6 um:1e-6 nm:1e-9 pm:1e-12 Å:1e-10 metres:1"
    " meters:1 kilometres:1e3 kilometers:1e3 centimetres:1e-2 centimeters:1e-2 millimetres:1e-3"
    " millimeters:1e-3 nanometers:1e-9 micrometers:1e-6 microns:1e-6 feet:.3048 miles:1609.344",
    "area": "m^2:1 m2:1 cm^2:1e-4 cm2:1e-4 mm^2:1e-6 mm2:1e-6 km^2:1e6 km2:1e6 ha:1e4",
    "cubic length": "mm^3:1e-6 mm3:1e-6 cm^3:1e-3 cm3:1e-3",
    "temperature": "°C:1 degC:1 K:1 °F:1",
    "amount": "mol:1 mmol:1e-3 μmol:1e-6 umol:1e-6 nmol:1e-9 pmol:1e-12 fmol:1e-15",
    "amount/volume": "M:1 mM:1e-3 μM:1e-6 uM:1e-6 nM:1e-9 pM:1e-12",
    "activity": "IU:1 U:1 mIU:1e-3 mU:1e-3 kU:1e3 units:1 unit:1 MIU:1e6",
    "molecular mass": "Da:1 kDa:1e3 MDa:1e6",
    "sequence length": "bp:1 nt:1 kb:1e3 kbp:1e3 Mb:1e6 Mbp:1e6 Gb:1e9",
    "pressure": "mmHg:133.322 Pa:1 kPa:1e3 MPa:1e6 cmH2O:98.0665 atm:101325 bar:1e5 Torr:133.322",
    "energy": "J:1 kJ:1e3 cal:4.184 kcal:4184 calories:4184",
    "frequency": "Hz:1 kHz:1e3 MHz:1e6 GHz:1e9 bpm:.0166667",
    "dose": "Gy:1 cGy:.01 mGy:1e-3",
    "voltage": "V:1 mV:1e-3 kV:1e3 μV:1e-6",
    "power": "W:1 mW:1e-3 kW:1e3",
    "current": "mA:1e-3 μA:1e-6 nA:1e-9 pA:1e-12",
    "cells": "cells:1 cell:1",
    "colonies": "CFU:1 cfu:1",
    "plaques": "PFU:1 pfu:1",
    "copies": "copies:1 copy:1",
    "persons": "person:1 persons:1 people:1 patient:1 inhabitants:1 population:1",
    "person-time": "person-years:1 patient-years:1 woman-years:1",
    "body surface": "1.73m2:1 1.73m^2:1",
    "rotation": "rpm:1",
    "gravity": "×g:1 xg:1",
    "percentage points": "pp:1",
}
_FACTORS = {
    name: (dimension, float(factor))
    for dimension, units in _TABLE.items()
    for name, _, factor in (unit.partition(":") for unit in units.split())
}
_NAME = "|".join(sorted(map(re.escape, _FACTORS), key=len, reverse=True))
_ONE = rf"(?:{_NAME})(?![^\W_]|\^)"
_UNIT = re.compile(
    rf"[ -]?(?P<first>{_ONE})"
    rf"(?P<rest>(?: ?/ ?(?:1\.73 ?m\^?2|{_ONE})| per {_ONE}| (?:{_NAME})\^?-1(?!\d)){{0,2}})"
)
_PART = re.compile(rf"(?: ?/ ?| per | )(1\.73 ?m\^?2|{_NAME})(?:\^?-1)?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written: `in_base = value * factor + offset` in its dimension's base unit."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


def unit_at(text: str, position: int) -> tuple[Unit, int] | None:
    """The unit that starts at `position` (a blank or hyphen may stand before it) and its end."""
    found = _UNIT.match(text, position)
    if found is None:
        return None
    dimension, factor = _FACTORS[found["first"]]
    for part in _PART.findall(found["rest"]):
        below, divisor = _FACTORS[part.replace(" ", "")]
        dimension, factor = f"{dimension}/{below}", factor / divisor
    name = text[found.start("first") : found.end()]
    if dimension == "temperature" and name != "°C":
        return _temperature(name), found.end()
    return Unit(name, dimension, factor), found.end()


def _temperature(name: str) -> Unit:
    if name == "°F":
        return Unit(name, "temperature", 5 / 9, -32 * 5 / 9)
    return Unit(name, "temperature", 1.0, -273.15 if name == "K" else 0.0)
