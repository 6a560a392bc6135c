"""How the tests are shared out where several processes run them (``pytest -n``)."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the real model in one process, and the tests of a file together.

    A model in each process would fill the memory and have its threads wait for each other's cores.
    A file's tests share what its fixtures made.
    """
    if not config.pluginmanager.hasplugin("xdist"):
        return
    for item in items:
        alone = item.get_closest_marker("slow") is not None
        group = "real model" if alone else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
