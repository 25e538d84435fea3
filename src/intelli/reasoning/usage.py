"""Tokens and cost of calls to a model."""

from decimal import Decimal

from pydantic import Field

from intelli.reasoning.values import ReasoningModel

# Stands for the model where there was none.
EXTRACTIVE = "extractive"


class Usage(ReasoningModel):
    """What calls to a model took, and what they cost in US cents; the extractive reasoner costs nothing."""

    model: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    input_cost: Decimal = Decimal(0)
    output_cost: Decimal = Decimal(0)
    is_estimated: bool = Field(False, description="True when the endpoint told no token counts and we counted.")

    @property
    def cost(self) -> Decimal:
        """Cents, exact."""
        return self.input_cost + self.output_cost

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            model=self.model,
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            input_cost=self.input_cost + other.input_cost,
            output_cost=self.output_cost + other.output_cost,
            is_estimated=self.is_estimated or other.is_estimated,
        )
