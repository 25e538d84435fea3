"""SVG sanitizer for embedding in a page: shapes and text, nothing that runs, loads or links."""

import re

_TAGS = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title"}
_TAGS |= {"defs", "clipPath", "linearGradient", "radialGradient", "stop"}
_ATTRIBUTES = {
    *("width", "height", "viewBox", "transform", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry"),
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"),
    *("stroke-linejoin", "stroke-miterlimit", "opacity", "font-family", "font-size", "font-weight", "font-style"),
    *("text-anchor", "dominant-baseline", "dx", "dy", "points", "offset", "id", "clip-path", "role", "aria-label"),
    *("aria-hidden", "aria-roledescription", "class", "version", "stop-color", "gradientUnits"),
}
_LOCAL = re.compile(r"url\(#[\w-]+\)")
_NAMESPACE = "http://www.w3.org/2000/svg"


def sanitize(drawn: str) -> str:
    """Return the drawing with known elements and attributes only."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(drawn.encode(), parser)
    for element in list(root.iter(etree.Element)):
        name = etree.QName(element)
        if name.localname not in _TAGS or name.namespace != _NAMESPACE:
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
            continue
        for key, value in list(element.attrib.items()):
            if key not in _ATTRIBUTES or ("url(" in value and not _LOCAL.fullmatch(value)):
                del element.attrib[key]
    etree.cleanup_namespaces(root, top_nsmap={None: _NAMESPACE})
    return str(etree.tostring(root, encoding="unicode"))
