"""Source of OneDrive files, through Microsoft Graph. A reference is an item id."""

from intelli.library.sources.oauth import OAuthSource

SOURCE = OAuthSource(
    source_type="onedrive",
    title="OneDrive",
    api_url="https://graph.microsoft.com/v1.0",
    about="/me/drive/items/{}",
    content="/me/drive/items/{}/content",
    scope="https://graph.microsoft.com/Files.Read.All offline_access",
)
