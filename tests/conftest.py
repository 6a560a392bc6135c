"""How the tests are shared out where several processes run them (``pytest -n``)."""

from __future__ import annotations

import os

import pytest

# Threads of PyTorch that wait for each other spin, and take the cores from whoever they wait for
# where two processes share them: the demo took ten minutes beside another test, one without.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


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
