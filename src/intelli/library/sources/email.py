"""Messages of a mailbox, through Microsoft Graph: a reference is the message's id, and the document its whole text."""

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
