"""Dependencies that the routes of runs share."""

from typing import Annotated

from fastapi import Depends

from intelli.kit.http import part
from intelli.runs.settings import RunSettings

Rules = Annotated[RunSettings, Depends(part(RunSettings))]
