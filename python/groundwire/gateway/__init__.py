"""The gateway: a proxy before a server of the OpenAI interface, which checks its answers.

``groundwire serve --upstream URL`` runs it; ``create_app(Gateway(url, Config.load()))`` is the same
as an ASGI application. It needs the extra ``serve``. See ``docs/gateway.md``.
"""

from __future__ import annotations
