"""Makes the labelled documents of much data, such as logs and ledgers, by seeds: the same each time."""

import csv
import io
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=number) for number in range(count)]


def water_log() -> str:
    """Flow, turbidity and chlorine of each day of half a year; one sensor was out for four days."""
    draw = random.Random(411)
    rows = []
    for day in _days(date(2024, 1, 1), 182):
        turbidity = round(draw.uniform(0.05, 0.16), 2)
        if date(2024, 6, 8) <= day <= date(2024, 6, 19):
            turbidity = 0.46 if day == date(2024, 6, 10) else round(draw.uniform(0.3, 0.44), 2)
        is_out = date(2024, 3, 11) <= day <= date(2024, 3, 14)
        chlorine = "" if is_out else f"{draw.uniform(0.18, 0.32):.2f}"
        rows.append((day.isoformat(), draw.randint(21500, 33800), turbidity, chlorine))
    return _table(("date", "flow_m3", "turbidity_ntu", "chlorine_mg_per_l"), rows)


def club_ledger() -> str:
    """The entries of a club's year, in German; the totals are those of its minutes."""
    draw = random.Random(2207)
    income = [
        ("01.03.2023", "Mitgliedsbeiträge", "Einzug der Beiträge", 41870),
        ("14.04.2023", "Spenden", "Spende Sparkasse Steinsee", 2500),
        ("03.07.2023", "Zuschüsse", "Kreissportbund, Jugendarbeit", 3900),
        ("18.09.2023", "Feste", "Sommerfest, Getränke und Kuchen", 4635),
        ("20.11.2023", "Bootsplätze", "Mieten der Bootsplätze", 5460),
        ("08.12.2023", "Spenden", "Spende Familie Brandes", 3115),
    ]
    spent = [
        ("15.02.2023", "Versicherung", "Bootsversicherung", 4870),
        ("02.05.2023", "Boote", "Vierer Haubentaucher", 11900),
        ("30.06.2023", "Verband", "Beitrag Landesruderverband", 6240),
        ("15.09.2023", "Feste", "Sommerfest, Zelt und Musik", 2980),
    ]
    small = [("Strom und Wasser", 310, 460), ("Werkstatt", 60, 420), ("Trainer", 900, 1150), ("Regatten", 120, 640)]
    for month in range(1, 13):
        for name, least, most in small:
            spent.append((f"{28:02}.{month:02}.2023", name, f"{name} {month:02}/2023", draw.randint(least, most)))
    left = 65230 - sum(each[3] for each in spent)
    spent.append(("31.12.2023", "Rücklage", "Zuführung Rücklage Bootshaus", left))
    rows = [(*each[:3], each[3], "") for each in income] + [(*each[:3], "", each[3]) for each in spent]
    rows.sort(key=lambda row: tuple(reversed(row[0].split("."))))
    return _table(("Datum", "Konto", "Text", "Einnahme", "Ausgabe"), rows, ";")


def power_log() -> str:
    """Energy, wind and availability of a wind farm for each day of half a year; the mast was out for three days."""
    draw = random.Random(96400)
    rows = []
    for day in _days(date(2023, 1, 1), 181):
        wind = draw.uniform(3.1, 13.9)
        energy = round(min(1.0, (wind / 12.5) ** 2.4) * 810 * draw.uniform(0.93, 1.0), 1)
        is_out = date(2023, 2, 19) <= day <= date(2023, 2, 21)
        available = 90.0 if date(2023, 2, 19) <= day <= date(2023, 3, 8) else round(draw.uniform(96.5, 100), 1)
        rows.append((day.isoformat(), energy, "" if is_out else f"{wind:.2f}", available))
    return _table(("date", "energy_mwh", "mean_wind_m_per_s", "availability_percent"), rows)


def budget_ledger() -> str:
    """The orders that a municipality gave in half a year, in German."""
    draw = random.Random(1988)
    firms = ("Elektro Sievers GmbH", "Tiefbau Rasche", "Dachtechnik Rühmann", "Gartenbau Ilse", "Malerei Possner")
    places = ("Grundschule", "Kindergarten Altenrode", "Freibad", "Rathaus", "Bauhof", "Friedhof Wiesbruch")
    days = sorted(draw.sample(_days(date(2024, 1, 2), 178), 60))
    rows = [
        (f"{day:%d.%m.%Y}", f"A-{number:03}", draw.choice(places), draw.choice(firms), draw.randint(4, 190) * 50)
        for number, day in enumerate(days, 1)
    ]
    return _table(("Datum", "Nummer", "Ort", "Firma", "Betrag Euro"), rows, ";")


GENERATED: Mapping[str, Callable[[], str]] = {
    "brackwater/water_log_2024.csv": water_log,
    "gemeinde_wiesbruch/auftraege_2024.csv": budget_ledger,
    "hollen_ridge/power_log_2023.csv": power_log,
    "ruderclub/kassenbuch_2023.csv": club_ledger,
}
