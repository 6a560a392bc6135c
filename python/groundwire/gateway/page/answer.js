// The answer as it comes: a span a token, coloured by what was found in it.

const TIERS = ["none", "low", "medium", "high", "critical"];
// Nats of surprisal from which a token is marked.
const UNSURE = [1, 2, 4];

/** Return how many code points a text has; findings count in them. */
const length = (text) => [...text].length;

export class Answer {
  constructor(place, onToken) {
    this.place = place;
    this.onToken = onToken;
    this.clear();
  }

  clear() {
    this.place.replaceChildren();
    this.at = 0;
    this.tokens = [];
    this.findings = new Map();
  }

  /** Add released text: its pieces with what the upstream says of them, or the text alone. */
  add(text, tokens) {
    for (const token of tokens.length ? tokens : [{ text }]) {
      const span = document.createElement("span");
      span.textContent = token.text;
      const size = length(token.text);
      const entry = { ...token, span, from: this.at, to: this.at + size };
      this.at += size;
      span.addEventListener("mouseenter", () => this.onToken(entry, this.about(entry)));
      this.tokens.push(entry);
      this.place.append(span);
      this.colour(entry);
    }
  }

  /** Take findings; with whole they are all there are. */
  find(findings, whole = false) {
    if (whole) this.findings.clear();
    for (const finding of findings) this.findings.set(finding.id, finding);
    for (const entry of this.tokens) this.colour(entry);
  }

  /** Return the findings about a token. */
  about(entry) {
    return [...this.findings.values()].filter(
      ({ span }) => span && span[0] < entry.to && entry.from < span[1],
    );
  }

  colour(entry) {
    const worst = Math.max(0, ...this.about(entry).map(({ tier }) => TIERS.indexOf(tier)));
    const names = worst > 0 ? [`tier-${TIERS[worst]}`] : [];
    const unsure = UNSURE.filter((least) => -(entry.logprob ?? 0) >= least).length;
    if (unsure > 0) names.push(`unsure-${unsure}`);
    entry.span.className = names.join(" ");
  }
}
