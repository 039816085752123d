import { lazily, toolSchema, z } from '@palimpsest/core/options'
import { type Decision, type DecisionSet, type SupersededLink, tierOf } from '../log/decision.ts'
import type { SaidEvent } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'
import { hashText } from '../log/hash-text.ts'
import type { Source } from '../log/source.ts'
import { writtenLines } from '../render/decision-detail.ts'
import { choiceText } from '../render/decision-label.ts'
import { lineText } from '../render/line-text.ts'
import { decidingSource } from '../render/provenance.ts'
import { fitLists, USUAL_CHARACTERS } from './answer-limits.ts'
import { decisionFacts } from './decision-facts.ts'
import { findDecision } from './find-decision.ts'
import { logIndexOf } from './log-index.ts'
import { readArguments, text } from './read-arguments.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

/** Sources that are read back: the first, and the last ones. */
const MAX_SOURCES = 6
/** Entries of one list. */
const MAX_LISTED = 20
const TEXT_TOKENS = 80

const argumentSchema = lazily(() =>
  z.object({
    id: text(100, 'Such as "d1a2b3c4".'),
  }),
)

/** The schema of `decisions_explain`, as a model gets it. */
export const decisionsExplainSchema = lazily(() =>
  toolSchema(
    'decisions_explain',
    'Why something was decided: the words it was read from, who said them in which turn, what it replaced and what replaced ' +
      'it, what rests on it and what contradicts it. Use it before you rely on a contested or suspect decision.',
    argumentSchema(),
  ),
)

/** Everything that is known about one decision. */
export async function decisionsExplain(args: unknown, input: DecisionsToolsInput): Promise<object> {
  const { id } = readArguments(argumentSchema(), args)
  const ledger = await input.ledger()
  const decision = findDecision(ledger, id)
  const { sources, reason, ended, scope, entities } = decision
  const l1 = writtenLines(decision).join('\n')
  const shown =
    sources.length <= MAX_SOURCES ? sources : [...sources.slice(0, 1), ...sources.slice(1 - MAX_SOURCES)]
  const index = logIndexOf(ledger)
  const events = index.events(decision.id)
  const named = new Set(entities)
  const touches = (await input.artifacts()).filter(({ path }) => named.has(path)).slice(-MAX_LISTED)
  const facts = {
    ...decisionFacts(decision, input.session),
    scope: lineText(scope, TEXT_TOKENS),
    tier: tierOf(decision),
    ...(reason !== undefined && { reason: lineText(reason, TEXT_TOKENS) }),
    ...(l1 !== '' && { l1 }),
    ...(ended !== undefined && { ended: await sourceFacts(ended.source, input) }),
    source_count: sources.length,
    event_count: events.length,
  }
  const lists = {
    chain: decisionChain(decision, ledger),
    remarks: await Promise.all(
      decision.remarks.slice(-MAX_SOURCES).map((remark) => sourceFacts(remark, input)),
    ),
    contested_with: others(decision.contestedBy, ledger),
    rests_on: others(decision.dependsOn, ledger),
    dependants: others(index.dependants(decision.id), ledger),
    files: touches.map(({ path, operation, turn }) => ({ path: lineText(path, 40), operation, turn })),
    events: events.slice(-MAX_LISTED).map(eventFacts),
    sources: await Promise.all(shown.map((source) => sourceFacts(source, input))),
  }
  const room = USUAL_CHARACTERS - JSON.stringify(facts).length
  const { sources: read, ...rest } = fitLists(lists, room)
  return { ...facts, sources: read, ...rest }
}

function eventFacts(event: SaidEvent) {
  const { type, decision, at, authority, by, source } = event
  const date = new Date(at)
  return {
    type,
    decision,
    at: Number.isNaN(date.getTime()) ? at : date.toISOString(),
    authority,
    by,
    turn: source.turn,
    quote: lineText(source.quote, 30),
    ...('reason' in event && event.reason !== undefined && { reason: lineText(event.reason, 30) }),
  }
}

function others(ids: readonly string[], ledger: DecisionLedger) {
  return ids.slice(0, MAX_LISTED).flatMap((id) => {
    const other = ledger.get(id)
    return other === undefined ? [] : [brief(other)]
  })
}

function brief(decision: Decision) {
  const { id, slot, status, suspectOf } = decision
  const turn = decidingSource(decision)?.turn ?? null
  const isSuspect = suspectOf !== undefined
  return {
    id,
    slot: lineText(slot, 30),
    choice: choiceText(decision),
    status,
    turn,
    ...(isSuspect && { suspect: true }),
  }
}

/** Characters of a message that are shown on each side of a quote. */
const CONTEXT_CHARACTERS = 200
const QUOTE_CHARACTERS = 800
/** All but tabs and line breaks. */
const CONTROLS = /[^\P{Cc}\t\n]/gu

/**
 * A source as it was said: the quote with what stands around it, and whether the stored message still has it.
 * `verified`: it does, by hash. `changed`: another text stands there by now. `missing`: the message is not stored here.
 */
async function sourceFacts(source: Source, { session, sourceAt }: DecisionsToolsInput) {
  const { start, end, hash, role, turn, message } = source
  const stored = await sourceAt(source.session, message)
  const isVerified = stored !== undefined && hashText(stored.text.slice(start, end)) === hash
  return {
    role,
    turn,
    message,
    ...(source.session !== session && { session: source.session.slice(0, 200).toWellFormed() }),
    quote: cut(source.quote, 0, QUOTE_CHARACTERS),
    ...(isVerified && {
      context: cut(
        stored.text,
        Math.max(0, start - CONTEXT_CHARACTERS),
        Math.min(end, start + QUOTE_CHARACTERS) + CONTEXT_CHARACTERS,
      ),
    }),
    check: stored === undefined ? 'missing' : isVerified ? 'verified' : 'changed',
  }
}

function cut(text: string, from: number, to: number): string {
  const part = text.slice(from, to).toWellFormed().replace(CONTROLS, ' ')
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}

const LINK_TOKENS = 40
/** Links that are followed in each direction. */
const MAX_LINKS = 50

/** The decisions before and after one in its chain, from the first value to the last, each with the reason for its end. */
function decisionChain(decision: Decision, decisions: DecisionSet) {
  const members = new Map<string, Decision>()
  follow(decision, (each) => each.supersedes, decisions, members)
  const before = [...members.values()].reverse()
  members.clear()
  follow(decision, (each) => each.supersededBy, decisions, members)
  const after = [...members.values()].slice(1)
  return [...before, ...after].flatMap((each) => linksOf(each))
}

function follow(
  start: Decision,
  next: (decision: Decision) => readonly SupersededLink[],
  decisions: DecisionSet,
  seen: Map<string, Decision>,
): void {
  const waiting = [start]
  for (
    let decision = waiting.pop();
    decision !== undefined && seen.size < MAX_LINKS;
    decision = waiting.pop()
  ) {
    if (seen.has(decision.id)) continue
    seen.set(decision.id, decision)
    for (const { id } of next(decision)) {
      const other = decisions.get(id)
      if (other !== undefined) waiting.push(other)
    }
  }
}

/** A value with each of its ends; one that still holds has none, or ends in parts only. */
function linksOf(decision: Decision) {
  const { id, status, supersededBy, ended } = decision
  const facts = { id, choice: choiceText(decision), status, turn: decidingSource(decision)?.turn ?? null }
  if (supersededBy.length === 0)
    return [
      { ...facts, ...(ended !== undefined && { until_turn: ended.source.turn, ...because(ended.reason) }) },
    ]
  return supersededBy.slice(-MAX_LINKS).map(({ id: by, area, source, reason }) => ({
    ...facts,
    superseded_by: by,
    ...(area !== undefined && { in_part: lineText(area, LINK_TOKENS) }),
    until_turn: source.turn,
    ...because(reason),
  }))
}

function because(reason: string | undefined) {
  return reason === undefined ? {} : { reason: lineText(reason, LINK_TOKENS) }
}
