import type { Proven, Refusal } from './extract/candidate.ts'
import { type Decision, decidingSource } from './log/decision.ts'
import { type Finder, isOpen, isSingle, type SaidEvent, type Scope } from './log/decision-event.ts'
import { decisionId, eventId } from './log/ids.ts'
import type { DecisionLedger } from './log/ledger.ts'
import { isBefore, isSamePlace, makeSource, normalSubject, normalValue, type Source } from './log/source.ts'

export interface ResolveContext {
  readonly ledger: DecisionLedger
  readonly scope: Scope
  readonly session: string
  readonly at: number
  readonly by: Finder
}

export interface Resolved {
  readonly events: readonly SaidEvent[]
  readonly refused: readonly Refusal[]
}

/**
 * Turns candidates into events; deterministic. A new value replaces the old one if the words announce a change, or if
 * the old one has less authority. Two plain statements of the user both stay, as contested.
 */
export function resolveCandidates(candidates: readonly Proven[], context: ResolveContext): Resolved {
  const ledger = context.ledger.draft()
  const events: SaidEvent[] = []
  const refused: Refusal[] = []
  const emit: Emit = (decision, said) => {
    const { scope, at, by } = context
    const event = { ...said, decision, scope, at, by } as Omit<SaidEvent, 'id'>
    const whole = { ...event, id: eventId(event) } as SaidEvent
    if (ledger.has(whole.id)) return
    ledger.append([whole])
    events.push(whole)
  }
  for (const candidate of candidates.toSorted(inOrder)) {
    const source = makeSource(candidate.span, context.session)
    const outcome =
      candidate.action === 'create'
        ? create(candidate, source, { ...context, ledger }, emit)
        : change(candidate, source, ledger, emit)
    if (outcome !== undefined) refused.push(outcome)
  }
  return { events, refused }
}

type Emit = (
  decision: string,
  said: Pick<SaidEvent, 'type' | 'source' | 'authority'> & Readonly<Record<string, unknown>>,
) => void

function inOrder({ span: a }: Proven, { span: b }: Proven): number {
  return a.message.seq - b.message.seq || a.start - b.start
}

function change(
  { action, statement, authority, target = '', replaces }: Proven,
  source: Source,
  ledger: DecisionLedger,
  emit: Emit,
): Refusal | undefined {
  const decision = ledger.get(target)
  if (decision === undefined || !isLive(decision)) return 'unknown-target'
  if (action === 'merge') {
    if (decision.sources.some((known) => isSamePlace(known, source))) return undefined
    const says = normalValue(`${decision.l0} ${decision.l1 ?? ''} ${decision.value}`)
    const isNew = statement.l0 !== '' && !says.includes(normalValue(statement.l0))
    emit(decision.id, { type: 'merged', source, authority, ...(isNew && { text: statement.l0 }) })
    return undefined
  }
  if (authority === 'proposed' && decision.authority !== 'proposed') return 'not-theirs-to-end'
  if (decision.sources.some((known) => isBefore(source, known))) return undefined
  const reason = statement.reason ?? replaces
  emit(decision.id, { type: 'retracted', source, authority, ...(reason !== undefined && { reason }) })
  return undefined
}

function create(
  { statement: said, authority, proposal, replaces = '' }: Proven,
  source: Source,
  context: ResolveContext,
  emit: Emit,
): undefined {
  const { ledger, scope } = context
  const contrary = ledger.get(said.contradicts ?? '')
  const statement = contrary === undefined ? said : { ...said, subject: contrary.subject }
  const live = ledger.ofSubject(statement.subject).filter((decision) => decision.scope === scope)
  const isRead = (known: Decision) =>
    isSame(known, statement) && known.sources.some((each) => isSamePlace(each, source))
  if (ledger.all.some((known) => !isLive(known) && isRead(known))) return undefined
  const same = live.find((decision) => isSame(decision, statement))
  const first = proposal === undefined ? source : makeSource(proposal, context.session)
  const id = same?.id ?? decisionId(scope, statement, first)
  if (same === undefined) {
    const type = authority === 'stated' ? 'asserted' : 'proposed'
    emit(id, { type, source: first, authority: type === 'asserted' ? 'stated' : 'proposed', statement })
  }
  const known = ledger.get(id)
  const isTaken = known?.status === 'proposed' || (known?.authority === 'accepted' && authority === 'stated')
  if (isTaken && authority !== 'proposed') emit(id, { type: 'accepted', source, authority })
  else if (known?.sources.every((each) => !isSamePlace(each, source)))
    emit(id, { type: 'merged', source, authority })
  const decision = ledger.get(id)
  if (decision !== undefined && authority !== 'proposed')
    settle(decision, { source, authority, replaces }, live, ledger, emit)
  return undefined
}

function settle(
  decision: Decision,
  {
    source,
    authority,
    replaces,
  }: Pick<Proven, 'authority'> & { readonly source: Source; readonly replaces: string },
  live: readonly Decision[],
  ledger: DecisionLedger,
  emit: Emit,
): void {
  const { id, kind, reason } = decision
  const named = ledger.get(replaces)
  const replaced = normalValue(replaces)
  const others = new Set([
    ...live.filter((other) => isSingle(kind) && (isSingle(other.kind) || isOpen(other.kind))),
    ...live.filter((other) => replaced !== '' && normalValue(other.value) === replaced),
    ...(named !== undefined && isLive(named) ? [named] : []),
  ])
  for (const other of others) {
    if (other.id === id) continue
    const isLater = other.authority !== 'proposed' && other.sources.some((known) => isBefore(source, known))
    // A model may read late that the agent has already recorded the successor.
    if (isLater && other.by === 'agent')
      emit(id, {
        type: 'superseded',
        source: decidingSource(other),
        authority: other.authority,
        supersededBy: other.id,
      })
    const isChange =
      replaced !== '' || other.authority !== 'stated' || isOpen(other.kind) || authority === 'accepted'
    if (isLater || !isChange) continue
    const because = reason === undefined ? {} : { reason }
    emit(other.id, { type: 'superseded', source, authority, supersededBy: id, ...because })
  }
}

function isLive({ status }: Decision): boolean {
  return status === 'active' || status === 'proposed'
}

function isSame(
  a: Pick<Decision, 'kind' | 'subject' | 'value'>,
  b: Pick<Decision, 'kind' | 'subject' | 'value'>,
): boolean {
  const isAlike = a.kind === b.kind || (isSingle(a.kind) && isSingle(b.kind))
  return (
    isAlike &&
    normalSubject(a.subject) === normalSubject(b.subject) &&
    normalValue(a.value) === normalValue(b.value)
  )
}
