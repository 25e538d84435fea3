"""Providers that are known by name: their addresses, whether they need a key, and where it is found."""

from intelli.models.errors import ModelAddressRefused
from intelli.models.wire import Provider, ProviderPreset

_LOCAL_HINT = "Runs on this machine; no key is needed. Start it first."
PRESETS: tuple[ProviderPreset, ...] = (
    ProviderPreset(
        provider=Provider.OPENAI,
        title="OpenAI",
        base_url="https://api.openai.com/v1",
        needs_key=True,
        hint="An API key from platform.openai.com, API keys.",
    ),
    ProviderPreset(
        provider=Provider.AZURE,
        title="Azure OpenAI",
        base_url=None,
        needs_key=True,
        hint="The address of your resource, as https://NAME.openai.azure.com/openai/v1, and one of its two keys. "
        "Models are named by their deployments.",
    ),
    ProviderPreset(
        provider=Provider.ANTHROPIC,
        title="Anthropic",
        base_url="https://api.anthropic.com/v1",
        needs_key=True,
        hint="An API key from console.anthropic.com, API keys.",
    ),
    ProviderPreset(
        provider=Provider.GEMINI,
        title="Google Gemini",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        needs_key=True,
        hint="An API key from aistudio.google.com.",
    ),
    ProviderPreset(
        provider=Provider.MISTRAL,
        title="Mistral",
        base_url="https://api.mistral.ai/v1",
        needs_key=True,
        hint="An API key from console.mistral.ai, API keys.",
    ),
    ProviderPreset(
        provider=Provider.OPENROUTER,
        title="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        needs_key=True,
        hint="An API key from openrouter.ai, Keys. Models of many providers behind one address.",
    ),
    ProviderPreset(
        provider=Provider.OLLAMA,
        title="Ollama",
        base_url="http://127.0.0.1:11434/v1",
        needs_key=False,
        hint=_LOCAL_HINT,
    ),
    ProviderPreset(
        provider=Provider.LM_STUDIO,
        title="LM Studio",
        base_url="http://127.0.0.1:1234/v1",
        needs_key=False,
        hint=_LOCAL_HINT,
    ),
    ProviderPreset(
        provider=Provider.LLAMA_CPP,
        title="llama.cpp",
        base_url="http://127.0.0.1:8080/v1",
        needs_key=False,
        hint=_LOCAL_HINT,
    ),
    ProviderPreset(
        provider=Provider.VLLM, title="vLLM", base_url="http://127.0.0.1:8000/v1", needs_key=False, hint=_LOCAL_HINT
    ),
    ProviderPreset(
        provider=Provider.COMPATIBLE,
        title="Other endpoint",
        base_url=None,
        needs_key=False,
        hint="The address of any endpoint that speaks OpenAI's protocol, up to and with its version.",
    ),
)
_BY_PROVIDER = {preset.provider: preset for preset in PRESETS}
# The longer first: one ends in another.
_METHODS = ("/chat/completions", "/completions", "/embeddings", "/responses", "/messages", "/models")
# Where a key is sent beside the usual header.
KEY_HEADERS = {Provider.AZURE: "api-key"}


def needs_key(provider: Provider) -> bool:
    """Return whether a provider answers nobody without a key."""
    preset = _BY_PROVIDER.get(provider)
    return preset is not None and preset.needs_key


def get_address(provider: Provider, given: str | None) -> str:
    """Return the address that was given, else the provider's own; raise ModelAddressRefused when there is neither."""
    preset = _BY_PROVIDER.get(provider)
    address = given or (preset.base_url if preset else None)
    if address is None:
        raise ModelAddressRefused("Give the address of the endpoint, such as https://models.example.org/v1.")
    return trim_address(address)


def trim_address(address: str) -> str:
    """Return an address without what a method adds to it: manuals show that of a method, and people copy it."""
    trimmed = address.rstrip("/")
    method = next((each for each in _METHODS if trimmed.endswith(each)), "")
    return trimmed.removesuffix(method).rstrip("/")
