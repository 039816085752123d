import type { Candidate } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import type { Source } from '../log/source.ts'
import { amendedValue } from '../slots/amended-value.ts'
import { boundChoice } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import type { EventWriter, ResolveContext } from './resolve-context.ts'
import { beginDecision, settleStatement } from './settle-statement.ts'

/**
 * Writes what a user's words mean for what was decided in the turn before: it is taken back, and what it took the place of holds
 * again, or its one value that can be changed that way becomes another one.
 */
export function settleAmendment(candidate: Extract<Candidate, { kind: 'amend' }>, writer: EventWriter): void {
  const { context } = writer
  const source = sourceOfSpan(candidate.span, context)
  if (source?.role !== 'user') return
  const last = saidBefore(source, context)
  if (candidate.value === '') for (const decision of last) takeBack(decision, source, writer)
  else changeValue(last, candidate, source, writer)
}

/** What the turn before decided or proposed, as far as it stands. */
function saidBefore({ session, turn }: Source, { ledger, scope }: ResolveContext): Decision[] {
  return decisionsOf(indexOf(ledger).newest(), ledger)
    .filter(({ status }) => status === 'active' || status === 'proposed')
    .filter((decision) => decision.scope === scope && !decision.slot.startsWith('remark:'))
    .filter(({ sources }) => sources.some((said) => said.session === session && said.turn === turn - 1))
}

function takeBack({ id, authority, supersedes }: Decision, source: Source, writer: EventWriter): void {
  if (authority === 'proposed') return
  const by = { source, authority: 'stated' as const }
  writer.write({ type: 'retracted', decision: id, ...by })
  for (const { id: before, area, source: since } of supersedes) {
    const old = writer.context.ledger.get(before)
    const choice = old && boundChoice(old)
    if (choice === undefined || area !== undefined || since.turn !== source.turn - 1) continue
    beginDecision('asserted', { choice, isChange: false, ...by }, [], writer)
  }
}

function changeValue(
  last: readonly Decision[],
  candidate: Extract<Candidate, { kind: 'amend' }>,
  source: Source,
  writer: EventWriter,
): void {
  const changed = last.flatMap((decision) => {
    const choice = amendedValue(decision.slot, decision.choice, candidate)
    return choice === undefined ? [] : [{ decision, choice }]
  })
  const [stated = changed[0], ...others] = changed.filter(({ decision }) => decision.status === 'active')
  if (
    stated === undefined ||
    others.length > 0 ||
    new Set(changed.map(({ decision }) => decision.slot)).size > 1
  )
    return
  const { l0, choice: replaces } = stated.decision
  const choice = boundChoice({
    ...stated.decision,
    choice: stated.choice,
    l0: l0.replace(replaces, () => stated.choice),
  })
  if (choice) settleStatement({ choice, source, authority: 'stated', isChange: true, replaces }, writer)
}
