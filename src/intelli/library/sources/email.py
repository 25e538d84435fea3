"""Source of mailbox messages, through Microsoft Graph. A reference is a message id; the document is its MIME text."""

from intelli.library.sources.oauth import OAuthSource

SOURCE = OAuthSource(
    source_type="email",
    title="E-mail",
    api_url="https://graph.microsoft.com/v1.0",
    about="/me/messages/{}?$select=subject,webLink,lastModifiedDateTime",
    content="/me/messages/{}/$value",
    scope="https://graph.microsoft.com/Mail.Read offline_access",
    name_field="subject",
    suffix=".eml",
    media_type="message/rfc822",
)
