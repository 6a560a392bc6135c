"""Records of a knowledge base out of a relational database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._records import from_row
from groundwire.errors import ArgumentError, FormatError

FACT_COLUMNS = ("entity", "attribute", "value")
_OF_FACT = ("type", "unit", "source", "confidence", "valid_from", "valid_to")
_BATCH = 10_000


def records(
    url: Any,
    table: str | None,
    query: str | None,
    params: Mapping[str, Any] | None,
    types: Mapping[str, str],
    units: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield one record an entity; see ``KnowledgeBase.from_sql``."""
    try:
        import sqlalchemy as sa
    except ImportError as error:
        raise ArgumentError(
            "reading a database needs SQLAlchemy; install groundwire[sql] and the driver of your "
            "database"
        ) from error
    if (table is None) == (query is None):
        raise ArgumentError("from_sql takes either table=… or query=…")
    own = not isinstance(url, sa.Engine)
    try:
        engine = sa.create_engine(url) if own else url
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError) as error:
        raise ArgumentError(f"this is no database that can be opened: {error}") from error
    try:
        with engine.connect() as connection:
            if query is not None:
                statement: Any = sa.text(query)
            else:
                schema, _, name = str(table).rpartition(".")
                statement = sa.select(sa.text("*")).select_from(
                    sa.table(name, schema=schema or None)
                )
            result = connection.execution_options(yield_per=_BATCH).execute(
                statement, dict(params or {})
            )
            columns = list(result.keys())
            rows = (dict(zip(columns, row, strict=True)) for row in result)
            if set(FACT_COLUMNS) <= set(columns):
                yield from _of_facts(rows)
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
    finally:
        if own:
            engine.dispose()


def _of_facts(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    entities: dict[str, dict[str, Any]] = {}
    for row in rows:
        name, attribute, value = (row[column] for column in FACT_COLUMNS)
        if name is None or attribute is None or value is None:
            continue
        fact = {"value": value, **{c: row[c] for c in _OF_FACT if row.get(c) is not None}}
        record = entities.get(str(name))
        if record is None:
            record = entities[str(name)] = {"name": str(name), "attributes": {}}
        if row.get("kind") is not None:
            record["type"] = str(row["kind"])
        record["attributes"].setdefault(str(attribute), []).append(fact if len(fact) > 1 else value)
    yield from entities.values()
