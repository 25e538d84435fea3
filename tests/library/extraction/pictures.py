"""Pictures of text for the tests, drawn with the font that Pillow brings along."""

import io

from PIL import Image, ImageDraw, ImageFont


def picture_of(*lines: str, size: tuple[int, int] = (1200, 800), letters: int = 40) -> Image.Image:
    """Black lines on white, the first with its top left at 100, 100."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((100, 100 + number * letters * 1.6), line, font=ImageFont.load_default(letters), fill=0)
    return image


def encoded(image: Image.Image, file_format: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, file_format, **options)
    return buffer.getvalue()
