"""Records of a knowledge base out of a relational database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from groundwire._checks import words
from groundwire._records import FACT_COLUMNS, from_row, of_facts
from groundwire.errors import ArgumentError, FormatError

_BATCH = 10_000
_TRUTHS_AS_NUMBERS = frozenset({"sqlite", "mysql", "mariadb"})


def records(
    url: Any,
    table: str | None,
    query: str | None,
    params: Mapping[str, Any] | None,
    types: Mapping[str, str],
    units: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield one record an entity; see ``KnowledgeBase.from_sql``."""
    sa = _sqlalchemy()
    if (table is None) == (query is None):
        raise ArgumentError("from_sql takes either table=… or query=…")
    own = not isinstance(url, sa.Engine)
    _written(table, query)
    engine = _engine(sa, url)
    if query is not None:
        statement: Any = sa.text(query)
    else:
        statement = sa.select(sa.text("*")).select_from(_table(sa, str(table)))
    try:
        yield from _read(sa, engine, statement, params, types, units, table)
    finally:
        if own:
            engine.dispose()


def asker(
    url: Any,
    table: str | None,
    query: str | None,
    column: str,
    types: Mapping[str, str],
    units: Mapping[str, str],
) -> tuple[Callable[[str], Iterator[dict[str, Any]]], Callable[[], None]]:
    """Return what yields the records of a name, and what closes an engine of its own.

    See ``groundwire.lookup.SqlSource``.
    """
    sa = _sqlalchemy()
    if (table is None) == (query is None):
        raise ArgumentError("a database is asked with either table=… or query=…")
    _written(table, query)
    engine = _engine(sa, url)
    if query is not None:
        statement: Any = sa.text(query)
    else:
        own = sa.column(column)
        # Databases fold case as they will; what is written alike is alike in all of them.
        alike = sa.or_(own == sa.bindparam("name"), sa.func.lower(own) == sa.bindparam("lower"))
        cells = [sa.text("*")] if column == "name" else [sa.text("*"), own.label("name")]
        statement = sa.select(*cells).select_from(_table(sa, str(table))).where(alike)

    def ask(name: str) -> Iterator[dict[str, Any]]:
        params = {"name": name} if query is not None else {"name": name, "lower": name.lower()}
        return _read(sa, engine, statement, params, types, units, table)

    def close() -> None:
        if engine is not url:
            engine.dispose()

    return ask, close


def _written(table: Any, query: Any) -> None:
    """Refuse a table or query that is no text which a database can be sent."""
    for name, given in (("table", table), ("query", query)):
        if given is None:
            continue
        words(given, name)
        try:
            given.encode()
        except UnicodeEncodeError as error:
            raise ArgumentError(f"{name} holds a lone surrogate: {given!a:.60}") from error


@contextmanager
def _reading(engine: Any) -> Iterator[Any]:
    """Connect to a database without letting anything be changed in it.

    SQLite and PostgreSQL refuse every change; elsewhere what a statement changes is rolled back at
    the end, as far as the database can (few can with changes of a schema). A file that SQLite would
    make anew is refused.
    """
    _present(engine)
    with engine.connect() as connection:
        kind = engine.dialect.name
        if kind == "postgresql":
            connection.execution_options(postgresql_readonly=True)
        if kind == "sqlite":
            connection.exec_driver_sql("PRAGMA query_only=ON")
        try:
            yield connection
        finally:
            connection.rollback()
            if kind == "sqlite":
                connection.exec_driver_sql("PRAGMA query_only=OFF")


def _present(engine: Any) -> None:
    """Refuse a database of SQLite whose file is not there: connecting would make an empty one."""
    if engine.dialect.name != "sqlite":
        return
    path = engine.url.database
    if not path or path == ":memory:" or path.startswith("file:"):
        return
    if not Path(path).exists():
        raise FormatError(f"the database could not be read: there is no file {path!r:.200}")


def _sqlalchemy() -> Any:
    try:
        import sqlalchemy
    except ImportError as error:
        raise ArgumentError(
            "reading a database needs SQLAlchemy; install groundwire[sql] and the driver of your "
            "database"
        ) from error
    return sqlalchemy


def _engine(sa: Any, url: Any) -> Any:
    if isinstance(url, sa.Engine):
        return url
    try:
        return sa.create_engine(url)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError) as error:
        raise ArgumentError(f"this is no database that can be opened: {error}") from error


def _table(sa: Any, table: str) -> Any:
    schema, _, name = table.rpartition(".")
    return sa.table(name, schema=schema or None)


def _truths(sa: Any, connection: Any, table: str | None) -> frozenset[str]:
    """Return the columns of a table that are declared to hold true and false.

    SQLite and MySQL keep them as 1 and 0; other databases give truths. Of a query's result nothing
    is declared, and what is not there is told by the reading itself.
    """
    if table is None or connection.dialect.name not in _TRUTHS_AS_NUMBERS:
        return frozenset()
    schema, _, name = table.rpartition(".")
    known = sa.inspect(connection)
    if not known.has_table(name, schema=schema or None):
        return frozenset()
    columns = known.get_columns(name, schema=schema or None)
    return frozenset(column["name"] for column in columns if isinstance(column["type"], sa.Boolean))


def _row(columns: list[str], cells: Any, truths: frozenset[str]) -> dict[str, Any]:
    return {
        column: bool(cell) if column in truths and cell in (0, 1) else cell
        for column, cell in zip(columns, cells, strict=True)
    }


def _read(
    sa: Any,
    engine: Any,
    statement: Any,
    params: Mapping[str, Any] | None,
    types: Mapping[str, str],
    units: Mapping[str, str],
    table: str | None,
) -> Iterator[dict[str, Any]]:
    try:
        with _reading(engine) as connection:
            truths = _truths(sa, connection, table)
            result = connection.execution_options(yield_per=_BATCH).execute(
                statement, dict(params or {})
            )
            columns = list(result.keys())
            rows = (_row(columns, row, truths) for row in result)
            if set(FACT_COLUMNS) <= set(columns):
                yield from of_facts(rows)
            elif "name" in columns:
                for row in rows:
                    yield from_row(row, types, units)
            else:
                raise FormatError(
                    "the result has neither a column 'name' (one entity a row) nor the columns "
                    "'entity', 'attribute' and 'value' (one fact a row); rename columns in query=… "
                    "with AS"
                )
    except sa.exc.SQLAlchemyError as error:
        raise FormatError(f"the database could not be read: {error}") from error
