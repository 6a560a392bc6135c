"""The predicates as grounded atoms of the ``hyperon`` interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from groundwire.errors import GroundwireError, MissingExtraError
from groundwire.metta.helpers import HELPERS
from groundwire.metta.model import TYPES, shown
from groundwire.metta.predicates import PREDICATES

if TYPE_CHECKING:
    from hyperon import MeTTa

_LIST, _MAYBE = "List ", "Maybe "
# MeTTa has one type of numbers; the seed's declarations say Float.
_NUMBERS = "Number"
_DECLARED = (
    "(: Just (-> $t (Maybe $t)))",
    "(: Nothing (Maybe $t))",
    *(f"(: {name} HallucinationType)" for name in TYPES),
)


def _hyperon() -> Any:
    try:
        import hyperon
        import hyperon.atoms
    except ImportError as error:
        raise MissingExtraError(
            "MeTTa needs the package hyperon: pip install 'groundwire[metta]'"
        ) from error
    return hyperon.atoms


def register(metta: MeTTa) -> None:
    """Give the 25 predicates and their helpers to a MeTTa runner.

    ``Float`` in a program is read as ``Number``, MeTTa's one type of numbers.

    Raises:
        MissingExtraError: hyperon is not installed.

    """
    h = _hyperon()
    metta.register_token("Float", lambda _: h.S(_NUMBERS))
    for name, (function, types) in (PREDICATES | HELPERS).items():
        metta.register_atom(name, _operation(h, name, function, types))
    element = h.V("t")
    metta.register_atom(
        "elements",
        h.OperationAtom("elements", _elements, [h.E(h.S("List"), element), element], unwrap=False),
    )
    metta.run("\n".join(_DECLARED))


def _operation(h: Any, name: str, function: Callable[..., Any], types: tuple[str, ...]) -> Any:
    result = types[-1]

    def run(*atoms: Any) -> list[Any]:
        try:
            return [_atom(h, function(*(_value(h, atom) for atom in atoms)), result)]
        except (GroundwireError, OSError) as error:
            # As the interpreter's own operations fail: an atom a program can look at.
            return [h.E(h.S("Error"), h.E(h.S(name), *atoms), h.ValueAtom(str(error)))]

    return h.OperationAtom(name, run, [_type(h, type) for type in types], unwrap=False)


def _elements(given: Any) -> list[Any]:
    """Return each element of a list; to MeTTa these are so many results."""
    h = _hyperon()
    held = given.get_object().content
    return [_atom(h, item, held.type) for item in held.value]


class _Held:
    """A Python value inside an atom, with its MeTTa type; printed without quoting an answer."""

    def __init__(self, value: Any, type: str) -> None:
        self.value, self.type = value, type

    def __repr__(self) -> str:
        return shown(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.type))


def _atom(h: Any, value: Any, type: str) -> Any:
    if type.startswith(_MAYBE):
        if value is None:
            return h.S("Nothing")
        return h.E(h.S("Just"), _atom(h, value, type.removeprefix(_MAYBE)))
    if type == "HallucinationType":
        return h.S(value)
    if type in {"String", "Bool", "Float", "Number"}:
        return h.ValueAtom(value)
    inner = type.removeprefix(_LIST)
    held = _Held(tuple(value) if type.startswith(_LIST) else value, inner)
    return h.ValueAtom(held, _type(h, type))


def _value(h: Any, atom: Any) -> Any:
    if isinstance(atom, h.SymbolAtom):
        return atom.get_name()
    if not isinstance(atom, h.GroundedAtom):
        # Not reduced, like a function of MeTTa's that no definition fits.
        raise h.NoReduceError
    held = atom.get_object().content
    return held.value if isinstance(held, _Held) else held


def _type(h: Any, name: str) -> Any:
    if name.startswith("$"):
        return h.V(name[1:])
    for head in (_LIST, _MAYBE):
        if name.startswith(head):
            return h.E(h.S(head.strip()), _type(h, name.removeprefix(head)))
    return h.S(_NUMBERS if name == "Float" else name)


def bind(metta: MeTTa, name: str, value: Any, type: str) -> None:
    """Give a Python value to a program under a name.

    Args:
        metta: a runner that :func:`register` was called with.
        name: for example ``&kb``.
        value: for example a ``KnowledgeBase``, a ``DialogueState`` or a ``Finding``.
        type: its MeTTa type: ``KnowledgeBase``, ``List HallucinationFlag`` …

    """
    metta.register_atom(name, _atom(_hyperon(), value, type))


def runner() -> MeTTa:
    """Return a new MeTTa runner that knows the predicates.

    Raises:
        MissingExtraError: hyperon is not installed.

    """
    _hyperon()
    from hyperon import MeTTa

    metta = MeTTa()
    register(metta)
    return metta


def python_value(atom: Any) -> Any:
    """Return what an atom of a result holds: a Python value, a symbol's name, or a list of them.

    ``(Just x)`` is ``x``, ``Nothing`` is none, a list a tuple.
    """
    h = _hyperon()
    if isinstance(atom, h.ExpressionAtom):
        parts = [python_value(part) for part in atom.get_children()]
        return parts[1] if len(parts) == 2 and parts[0] == "Just" else parts
    value = _value(h, atom)
    return None if isinstance(atom, h.SymbolAtom) and value == "Nothing" else value
