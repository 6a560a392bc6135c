"""Types of configuration values: durations, sizes, probabilities, and the base of every section."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Any, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    field_validator,
)

_SECONDS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(us|µs|ms|s|m|h|d)")
_SIZES = {"": 1, "b": 1, "kb": 1000, "mb": 1000**2, "kib": 1024, "mib": 1024**2, "gib": 1024**3}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")


def parse_duration(value: Any) -> Any:
    """Return ``value`` as a timedelta: ``"5s"``, ``"1h30m"``, ``"250ms"``, or a number of seconds.

    Raises:
        ValueError: the text is no duration, or it is negative.

    """
    if isinstance(value, str):
        text = value.strip().replace(" ", "")
        text += "s" if re.fullmatch(r"\d+(\.\d+)?", text) else ""
        parts = _PART.findall(text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            msg = 'a duration such as "250ms", "5s" or "1h30m" is expected'
            raise ValueError(msg)
        try:
            return timedelta(seconds=sum(float(number) * _SECONDS[unit] for number, unit in parts))
        except OverflowError:
            msg = "the duration is too long"
            raise ValueError(msg) from None
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 <= value < 1e9:
            msg = "a duration in seconds, not negative, is expected"
            raise ValueError(msg)
        return timedelta(seconds=value)
    return value


def format_duration(value: timedelta) -> str:
    """Return ``value`` as :func:`parse_duration` reads it, in the largest unit that fits."""
    micros = value // timedelta(microseconds=1)
    for unit, size in (("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000)):
        if micros % size == 0:
            return f"{micros // size}{unit}"
    return f"{micros}us"


def parse_size(value: Any) -> Any:
    """Return ``value`` as a number of bytes: ``"1 MiB"``, ``"64kB"``, or a whole number.

    Raises:
        ValueError: the text is no size.

    """
    if isinstance(value, str):
        match = _SIZE.fullmatch(value.strip())
        if match is None or match.group(2).lower() not in _SIZES:
            msg = 'a size such as 65536, "64 KiB" or "1 MiB" is expected'
            raise ValueError(msg)
        size = float(match.group(1)) * _SIZES[match.group(2).lower()]
        if size > 2**53:
            msg = "the size is too large"
            raise ValueError(msg)
        return int(size)
    return value


def _some(value: timedelta) -> timedelta:
    """Return a duration that is longer than nothing."""
    if not value:
        msg = 'a duration longer than 0 is expected, such as "250ms" or "5s": nothing comes at once'
        raise ValueError(msg)
    return value


Duration = Annotated[
    timedelta,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration, return_type=str),
]
Wait = Annotated[Duration, AfterValidator(_some)]
"""How long something is waited for: no wait at all would be the end of it."""
Size = Annotated[int, BeforeValidator(parse_size), Field(ge=0)]
Probability = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Bits = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class Section(BaseModel):
    """Base of every section: frozen, and no key beside the ones it names."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_default=True, use_attribute_docstrings=True
    )

    @field_validator("*", mode="before")
    @classmethod
    def _kind(cls, value: Any, info: ValidationInfo) -> Any:
        """Take no number for a yes or no, and none of the two for the other."""
        flag, number = isinstance(value, bool), isinstance(value, int | float)
        if not number or info.field_name is None:
            return value
        kind = cls.model_fields[info.field_name].annotation
        wants_flag = kind is bool or bool in get_args(kind)
        if flag and not wants_flag:
            msg = "a number or text is expected, not true or false"
            raise ValueError(msg)
        if wants_flag and not flag:
            msg = "true or false is expected, not a number"
            raise ValueError(msg)
        return value
