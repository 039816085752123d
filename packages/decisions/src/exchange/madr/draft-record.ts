import type { SourceMessage } from '../../candidates/source-message.ts'
import type { Authority, SaidEvent, Scope, Withdrawal } from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'
import { decisionId, eventId, withdrawalId } from '../../log/ids.ts'
import { makeSource, type Source } from '../../log/source.ts'
import type { KnownDecisions } from './find-known.ts'
import type { LinkedRecord, Succession } from './link-records.ts'
import type { DecisionRecord } from './read-record.ts'
import type { Line } from './read-sections.ts'

/** One file that was read. */
export interface ImportedFile {
  readonly fileName: string
  /** The session that its text is kept as, `file:<name>`. */
  readonly session: string
  readonly source: SourceMessage
  /** True when the file has changed since it was imported: what it said before does not count any more. */
  readonly withdrawal?: Withdrawal
}

/** A record with what it becomes. */
export interface Draft {
  readonly record: DecisionRecord
  readonly file: ImportedFile
  /** It is decided here, or repeats what the log has. */
  readonly beginning: SaidEvent
  /** A line of the file as a source. */
  readonly sourceOf: (line: Line | undefined) => Source
}

/** The session that a record's text is kept as. */
export function sessionOf({ fileName }: DecisionRecord): string {
  return `file:${fileName}`
}

export interface DraftContext {
  readonly scope: Scope
  /** Milliseconds since the epoch, for a record without a date. */
  readonly at: number
  /** Number of times that it had been changed and imported before. */
  readonly edition: number
  /** It has changed since. */
  readonly isChanged: boolean
  readonly known?: KnownDecisions
}

/** A record as what it decides. */
export function draftRecord(record: DecisionRecord, context: DraftContext): Draft {
  const { scope, at: now, isChanged } = context
  const { fileName, text, choice, status, start, end, date } = record
  const session = sessionOf(record)
  const source: SourceMessage = { message: 0, turn: 1, role: 'user', text, hash: hashText(text) }
  const edition = context.edition + (isChanged ? 1 : 0)
  const at = date ?? now
  const quote = (from: number, to: number) => makeSource(source, { session, start: from, end: to, edition })
  const said = quote(start, end)
  const isProposal = status.status === 'proposed' || status.status === 'rejected'
  const authority: Authority = isProposal ? 'proposed' : 'stated'
  const base = { scope, at, source: said, authority, by: 'import' } as const
  const decision = decisionId(scope, choice, said)
  const repeated = context.known?.repeated(record, decision, said)
  return {
    record,
    file: {
      fileName,
      session,
      source,
      ...(isChanged && { withdrawal: withdrawal(session, scope, context.edition, now) }),
    },
    beginning: withId(
      repeated === undefined
        ? { type: isProposal ? 'proposed' : 'asserted', decision, ...base, choice }
        : { type: 'reaffirmed', decision: repeated.id, ...base },
    ),
    sourceOf: (line) => (line === undefined ? said : quote(line.start, line.start + line.text.length)),
  }
}

function withdrawal(session: string, scope: Scope, edition: number, at: number): Withdrawal {
  return {
    type: 'withdrawn',
    id: withdrawalId({ scope, session, from: 0, edition }),
    scope,
    at,
    session,
    from: 0,
    edition,
  }
}

/** That one record takes the place of another. Undefined when it is none of these drafts that says so. */
export function successionEvent(
  { old, successor, saidBy, line, area }: Succession,
  drafts: ReadonlyMap<LinkedRecord, Draft>,
): (SaidEvent & { readonly type: 'superseded' }) | undefined {
  const speaker = drafts.get(saidBy)
  const [before, after] = [old, successor].map((end) => drafts.get(end)?.beginning.decision ?? end.decision)
  if (before === undefined || after === undefined || speaker === undefined) return undefined
  const reason = 'choice' in successor ? successor.choice.reason : undefined
  return replacement(before, after, {
    ...{ scope: speaker.beginning.scope, at: (drafts.get(successor) ?? speaker).beginning.at },
    source: speaker.sourceOf(line),
    ...(area !== undefined && { area }),
    ...(reason !== undefined && { reason }),
  })
}

/** The event that ends what a record said before it was edited. */
export function editEvent(
  { record, beginning }: Draft,
  before: string,
): SaidEvent & { readonly type: 'superseded' } {
  const { scope, at, source, decision } = beginning
  const { reason } = record.choice
  return replacement(before, decision, { scope, at, source, ...(reason !== undefined && { reason }) })
}

function replacement(
  decision: string,
  supersededBy: string,
  said: Pick<SaidEvent & { readonly type: 'superseded' }, 'scope' | 'at' | 'source' | 'area' | 'reason'>,
): SaidEvent & { readonly type: 'superseded' } {
  const event = {
    type: 'superseded',
    decision,
    supersededBy,
    ...said,
    authority: 'stated',
    by: 'import',
  } as const
  return { ...event, id: eventId(event) }
}

/** That what a record decides is over, with nothing in its place. */
export function retraction({ record, beginning, sourceOf }: Draft): SaidEvent {
  const { decision, scope, at } = beginning
  return withId({
    type: 'retracted',
    ...{ decision, scope, at, source: sourceOf(record.status.line), authority: 'stated', by: 'import' },
  })
}

type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id'> : never

function withId(event: WithoutId<SaidEvent>): SaidEvent {
  return { ...event, id: eventId(event) } as SaidEvent
}
