"""Source of SharePoint files, through Microsoft Graph. A reference is `drive id/item id`."""

from intelli.library.sources.oauth import OAuthSource

SOURCE = OAuthSource(
    source_type="sharepoint",
    title="SharePoint",
    api_url="https://graph.microsoft.com/v1.0",
    about="/drives/{}/items/{}",
    content="/drives/{}/items/{}/content",
    scope="https://graph.microsoft.com/.default",
)
