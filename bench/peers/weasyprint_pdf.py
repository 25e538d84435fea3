"""WeasyPrint: prints an HTML file as PDF, with tags, to standard output."""

import sys

from weasyprint import HTML

HTML(filename=sys.argv[1]).write_pdf(sys.stdout.buffer, pdf_variant="pdf/ua-1")
