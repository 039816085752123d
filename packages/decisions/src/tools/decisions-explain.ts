import { lazily, toolSchema, z } from '@palimpsest/core/options'
import type { Decision } from '../log/decision.ts'
import type { SaidEvent } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'
import { tierOf } from '../log/tier.ts'
import { writtenLines } from '../render/decision-detail.ts'
import { choiceText } from '../render/decision-label.ts'
import { lineText } from '../render/line-text.ts'
import { decidingSource } from '../render/provenance.ts'
import { fitLists, USUAL_CHARACTERS } from './answer-limits.ts'
import { decisionChain } from './decision-chain.ts'
import { decisionFacts } from './decision-facts.ts'
import { findDecision } from './find-decision.ts'
import { logIndexOf } from './log-index.ts'
import { readArguments, text } from './read-arguments.ts'
import { sourceFacts } from './source-facts.ts'
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
