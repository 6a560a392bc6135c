"""``groundwire serve-vllm``: vLLM's server with the plugin inside."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.cli import options


def serve_vllm(
    context: typer.Context,
    model: Annotated[str, typer.Argument(help="Model that vLLM serves.")],
    *,
    config: options.Configuration = None,
    stop_id: Annotated[
        int | None,
        typer.Option(
            "--stop-id", min=0, help="Token id the model never writes; ends answers for a finding."
        ),
    ] = None,
) -> None:
    """Serve a model by vLLM, with every answer followed inside the engine.

    Arguments after the model go to vLLM's server as they are. What is checked stands in the section
    "serving" of the configuration; docs/vllm.md has it all.
    """
    from groundwire.integrations.vllm.server import serve

    serve(model, context.args, None if config is None else str(config), stop_id)
