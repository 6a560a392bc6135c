// The page: asks the gateway as any client would, and shows what it says beside the answer.

import { Answer } from "./answer.js";
import { events } from "./events.js";

const $ = (id) => document.getElementById(id);
const answer = new Answer($("answer"), showToken);
let running = null;

function item(list, ...lines) {
  const li = document.createElement("li");
  for (const [text, name] of lines) {
    const span = document.createElement("div");
    span.textContent = text;
    if (name) span.className = name;
    li.append(span);
  }
  list.append(li);
}

function pairs(list, found) {
  list.replaceChildren();
  for (const [name, value] of Object.entries(found)) {
    const dt = document.createElement("dt");
    const dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = String(value);
    list.append(dt, dd);
  }
}

function showToken(token, findings) {
  const found = { token: JSON.stringify(token.text) };
  if (typeof token.logprob === "number") {
    found.probability = Math.exp(token.logprob).toFixed(3);
    found["surprisal (nats)"] = (-token.logprob).toFixed(2);
  }
  if (token.top?.length) {
    found["might have been"] = token.top
      .map(([text, logprob]) => `${JSON.stringify(text)} ${Math.exp(logprob).toFixed(2)}`)
      .join("  ");
  }
  for (const finding of findings) found[finding.type] = finding.message;
  pairs($("token"), found);
}

function showFindings(findings) {
  $("findings").replaceChildren();
  for (const finding of findings) {
    const risk = `${finding.type}: ${finding.tier}, p ${finding.p_hallucinated.toFixed(2)}`;
    const lines = [[`“${finding.text}”`, `tier-${finding.tier}`], [risk], [finding.message]];
    if (finding.replacement) lines.push([`a source has “${finding.replacement}”`]);
    for (const { source, text } of finding.evidence.slice(0, 3)) {
      if (text) lines.push([source ? `${source}: ${text}` : text]);
    }
    item($("findings"), ...lines);
  }
}

function showEnd(found, finish) {
  if (found.findings) {
    answer.find(found.findings, true);
    showFindings(found.findings);
  }
  for (const done of found.interventions ?? []) {
    const kinds = done.findings.map(({ type }) => type).join(", ");
    item($("interventions"), [`${done.action} (${kinds})`], [done.inserted.trim()]);
  }
  const { id, policy, tier, verdict, stopped, continued, notes } = found;
  const shown = { id, policy, tier, verdict, stopped, continued, notes, finish };
  pairs($("summary"), Object.fromEntries(Object.entries(shown).filter(([, v]) => v != null)));
}

function say(text, bad = false) {
  $("state").textContent = text;
  $("state").className = bad ? "error" : "";
}

function headers() {
  const found = { "content-type": "application/json" };
  if ($("key").value) found.authorization = `Bearer ${$("key").value}`;
  return found;
}

async function ask(logprobs) {
  const evidence = $("evidence").value.split(/\n\s*\n/).map((text) => text.trim()).filter(Boolean);
  const groundwire = { details: true };
  if (evidence.length) groundwire.evidence = evidence;
  if ($("policy").value.trim()) groundwire.policy = $("policy").value.trim();
  const content = evidence.length
    ? `${evidence.join("\n\n")}\n\n${$("prompt").value}`
    : $("prompt").value;
  const body = {
    model: $("model").value,
    stream: true,
    messages: [{ role: "user", content }],
    groundwire,
  };
  if (logprobs) Object.assign(body, { logprobs: true, top_logprobs: 5 });
  const response = await fetch("v1/chat/completions", {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
    signal: running.signal,
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  // Not every upstream gives probabilities.
  if (logprobs && response.status === 400 && error?.code !== "invalid_groundwire") return ask(false);
  throw new Error(error?.message ?? `status ${response.status}`);
}

async function run() {
  answer.clear();
  for (const id of ["findings", "interventions", "summary", "token"]) $(id).replaceChildren();
  running = new AbortController();
  [$("run").disabled, $("stop").disabled] = [true, false];
  say("The upstream writes …");
  try {
    for await (const chunk of events(await ask(true))) {
      if (chunk.error) throw new Error(chunk.error.message);
      const [choice] = chunk.choices ?? [];
      const beside = chunk.groundwire ?? {};
      const text = choice?.delta?.content || choice?.delta?.refusal;
      if (text) answer.add(text, beside.tokens ?? []);
      if (beside.found) answer.find(beside.found);
      showFindings([...answer.findings.values()]);
      if (choice?.finish_reason) showEnd(beside, choice.finish_reason);
    }
    say("Done.");
  } catch (error) {
    if (error.name === "AbortError") say("Stopped.");
    else say(error.message, true);
  } finally {
    [$("run").disabled, $("stop").disabled] = [false, true];
    running = null;
  }
}

async function models() {
  try {
    const response = await fetch("v1/models", { headers: headers() });
    const { data } = await response.json();
    const options = data.map(({ id }) => new Option(id, id));
    $("model").replaceChildren(...options);
  } catch {
    say("The upstream names no models; is it running, or does it want a key?", true);
  }
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
$("stop").addEventListener("click", () => running?.abort());
$("key").addEventListener("change", models);
models();
