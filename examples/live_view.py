"""How the demo shows a guarded answer: tokens coloured by risk, what was taken back struck out."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from groundwire.findings import Finding, Intervention
from groundwire.integrations.transformers import Generation, StreamEvent

STYLES = {"none": "", "low": "yellow", "medium": "bold dark_orange", "high": "bold red",
          "critical": "bold white on red"}  # fmt: skip
DONE = {"correct": "corrected", "hedge": "hedged", "interrupt": "interrupted",
        "discard": "discarded", "remove": "left out", "annotate": "noted"}  # fmt: skip
SAYS = {
    "dialogue.wrong_attribute": "against the knowledge base",
    "dialogue.quantity_conflict": "number against the evidence",
    "stream.unsourced_authority": "unsourced authority",
    "stream.placeholder": "placeholder",
    "stream.unknown_entity": "unknown name",
    "dialogue.nonexistent_entity": "unknown name",
    "stream.unsupported_number": "number without a source",
    "stream.unsupported_sentence": "sentence without support",
}


def label(finding: Finding) -> str:
    """Return what a finding is, in words."""
    return SAYS.get(finding.type, finding.type.rpartition(".")[2].replace("_", " "))


def rank(finding: Finding) -> int:
    """Return how telling a finding is: the most telling comes first."""
    order = list(SAYS)
    return order.index(finding.type) if finding.type in order else len(order)


def clip(text: str, width: int = 44) -> str:
    """Return ``text`` on one line, shortened in the middle."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    half = (width - 3) // 2
    # Whole words, where there are any so near the middle.
    head = line[: half + 1].rpartition(" ")[0] or line[:half]
    tail = line[-half - 1 :].partition(" ")[2] or line[-half:]
    return f"{head} … {tail}"


@dataclass
class Piece:
    """One token as shown."""

    text: str
    forced: bool = False
    gone: bool = False
    tier: str = "none"


@dataclass
class Caught:
    """A finding, the token at which it was made, and what was done about it."""

    finding: Finding
    token: int
    action: str = ""
    instead: str = ""


@dataclass
class Answer:
    """What has been seen of one answer."""

    pieces: list[Piece] = field(default_factory=list)
    caught: dict[tuple[str, str], Caught] = field(default_factory=dict)
    done: list[tuple[Intervention, Finding, int]] = field(default_factory=list)
    sampled: int = 0
    result: Generation | None = None

    def take(self, event: StreamEvent) -> None:
        """Follow one event."""
        if event.kind in {"token", "forced"}:
            self.sampled += event.kind == "token"
            self.pieces.append(Piece(event.piece, forced=event.kind == "forced"))
            for finding in event.findings:
                self.note(finding)
        if event.intervention is not None:
            self.act(event.intervention, event)
        if event.kind == "rewind":
            live = [p for p in self.pieces if not p.gone]
            for piece in live[event.position :]:
                piece.gone = True
        if event.kind == "end":
            self.result = event.result

    def note(self, finding: Finding, action: str = "", instead: str = "") -> None:
        """Remember a finding and colour its text."""
        entry = self.caught.setdefault((finding.type, finding.text), Caught(finding, self.sampled))
        if action and entry.action in {"", "annotate"}:
            entry.action, entry.instead = action, instead
        if finding.byte_span is None or finding.tier == "none":
            return
        start, end = finding.byte_span
        whole = finding.type == "stream.unsupported_sentence"
        at = 0
        for piece in self.pieces:
            if piece.gone:
                continue
            size = len(piece.text.encode())
            plain = piece.tier == "none" or not whole
            if at < end and at + size > start and not piece.forced and plain:
                piece.tier = finding.tier
            at += size

    def act(self, done: Intervention, event: StreamEvent) -> None:
        """Show an intervention; one that ends the answer takes its text back here."""
        for finding in done.findings:
            self.note(finding, done.action, done.inserted)
        finding = min(done.findings, key=lambda f: (f.replacement != done.inserted, rank(f)))
        first = min(self.caught[f.type, f.text].token for f in done.findings)
        self.done.append((done, finding, first))
        if event.kind == "rewind" or not done.inserted:
            return
        at = 0
        for piece in self.pieces:
            if not piece.gone:
                piece.gone = at >= done.span[0]
                at += len(piece.text.encode())
        self.pieces.append(Piece(done.inserted, forced=True))

    def text(self, *, styled: bool) -> Text:
        """Return the answer with all that happened to it; without styles, marks stand for them."""
        out = Text()
        for i, piece in enumerate(self.pieces):
            kind = (piece.gone, piece.forced)
            before = self.pieces[i - 1] if i else Piece("")
            if not styled and kind != (before.gone, before.forced):
                out.append("]" if before.gone else "}" if before.forced else "")
                out.append("[-" if piece.gone else "{+" if piece.forced else "")
            style = STYLES[piece.tier]
            if piece.gone:
                style = f"{style or 'dim'} strike"
            elif piece.forced:
                style = "bold green"
            out.append(piece.text, style if styled else "")
        last = self.pieces[-1] if self.pieces else Piece("")
        if not styled:
            out.append("]" if last.gone else "}" if last.forced else "")
        return out

    def findings(self) -> Table:
        """Return the findings as a list: token, what, words, what was done."""
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", style="dim", no_wrap=True)
        table.add_column(no_wrap=False, ratio=1)
        for entry in list(self.caught.values())[-8:]:
            line = Text(label(entry.finding), style=STYLES[entry.finding.tier])
            line.append(f" “{clip(entry.finding.text, 36)}”", style="")
            if entry.action:
                line.append(f" → {DONE[entry.action]}", style="bold")
            table.add_row(f"{entry.token}", line)
        return table

    def render(self, console: Console) -> RenderableType:
        """Return the text with its findings beside it, or below where there is no room."""
        text = self.text(styled=console.is_terminal)
        if not self.caught:
            return text
        if console.width < 100:
            return Group(text, Text(""), self.findings())
        grid = Table.grid(padding=(0, 3), expand=True)
        grid.add_column(ratio=3)
        grid.add_column(ratio=2)
        grid.add_row(text, self.findings())
        return grid


def follow(console: Console, events: object) -> Answer:
    """Show events as they come; in a pipe, show the outcome only."""
    answer = Answer()
    if not console.is_terminal:
        for event in events:  # type: ignore[attr-defined]
            answer.take(event)
        console.print(answer.render(console))
        return answer
    with Live(console=console, refresh_per_second=12, vertical_overflow="visible") as live:
        for event in events:  # type: ignore[attr-defined]
            answer.take(event)
            live.update(answer.render(console))
    return answer
