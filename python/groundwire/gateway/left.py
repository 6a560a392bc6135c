"""Connections whose client takes nothing any more."""

from __future__ import annotations

from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Left:
    """Ends the connection of a response that an application began and gave up.

    Nothing more can be written to such a client, the response's end neither, so that the server
    would keep what it did not take, and log a fault.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``, as the outermost of all."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and look how its response ended."""
        begun = ended = False

        async def noted(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            last = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)
            ended = ended or last

        await self._app(scope, receive, noted)
        # uvicorn gives the methods of the object that holds the connection.
        connection: Any = getattr(getattr(send, "__self__", None), "transport", None)
        if scope["type"] == "http" and begun and not ended and connection is not None:
            connection.abort()
            while (await receive())["type"] != "http.disconnect":
                pass
