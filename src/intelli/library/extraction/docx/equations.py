"""Renders equations of Office documents on one line, as a person would type them: (a)/(b), x^2, √(x), ∑_(n=1)^∞."""

from intelli.library.extraction.xml import XmlElement, attribute, child, local_name, val_attribute

_SILENT = {
    "rPr", "ctrlPr", "fPr", "radPr", "sSubPr", "sSupPr", "sSubSupPr", "naryPr", "dPr", "mPr", "accPr", "barPr",
    "boxPr", "funcPr", "limLowPr", "limUppPr", "groupChrPr", "eqArrPr", "sPrePr", "argPr", "oMathParaPr",
}  # fmt: skip


def render_equation(element: XmlElement) -> str:
    """Render an equation, or any element of one."""
    name = local_name(element)
    if name in _SILENT:
        return ""
    if name == "t":
        return element.text or ""
    writer = _WRITERS.get(name)
    return writer(element) if writer else "".join(render_equation(each) for each in element)


def _part(element: XmlElement, name: str) -> str:
    found = child(element, name)
    return render_equation(found) if found is not None else ""


def _parenthesize(text: str) -> str:
    """Put text in parentheses, unless it is one sign or number or already has them."""
    bare = text.strip()
    is_whole = len(bare) <= 1 or bare.isalnum() or (bare[0] in "([{" and bare[-1] in ")]}")
    return bare if is_whole else f"({bare})"


def _fraction(element: XmlElement) -> str:
    return f"{_parenthesize(_part(element, 'num'))}/{_parenthesize(_part(element, 'den'))}"


def _root(element: XmlElement) -> str:
    degree = _part(element, "deg").strip()
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"√[{degree}]")
    return f"{sign}({_part(element, 'e')})"


def _scripts(element: XmlElement) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    base = _part(element, "e")
    base = _parenthesize(base) if local_name(element) == "sSup" else base
    # The space ends the script: "a_n cos x" is not "a_ncos x".
    return base + (f"_{_parenthesize(below)}" if below else "") + (f"^{_parenthesize(above)}" if above else "") + " "


def _nary(element: XmlElement) -> str:
    sign = val_attribute(element, "naryPr", "chr") or "∫"
    below, above = _part(element, "sub"), _part(element, "sup")
    bounds = (f"_{_parenthesize(below)}" if below else "") + (f"^{_parenthesize(above)}" if above else "")
    return f"{sign}{bounds} {_part(element, 'e')}"


def _delimiters(element: XmlElement) -> str:
    properties = child(element, "dPr")
    begin, end, between = (
        attribute(found, "val") or "" if (found := child(properties, name)) is not None else default
        for name, default in (("begChr", "("), ("endChr", ")"), ("sepChr", "|"))
    )
    return begin + between.join(render_equation(each) for each in element if local_name(each) == "e") + end


def _matrix(element: XmlElement) -> str:
    rows = [each for each in element if local_name(each) == "mr"]
    return "; ".join(", ".join(render_equation(cell) for cell in row if local_name(cell) == "e") for row in rows)


def _lines(element: XmlElement) -> str:
    return "\n".join(render_equation(each) for each in element if local_name(each) == "e")


def _function(element: XmlElement) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}".strip()


def _limit(element: XmlElement) -> str:
    sign = "_" if local_name(element) == "limLow" else "^"
    return f"{_part(element, 'e')}{sign}{_parenthesize(_part(element, 'lim'))}"


_WRITERS = {
    "f": _fraction,
    "rad": _root,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "nary": _nary,
    "d": _delimiters,
    "m": _matrix,
    "eqArr": _lines,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
}
