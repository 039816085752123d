import { createPause, InvalidOptionError, isPasted } from '@palimpsest/core'
import type { z } from '@palimpsest/core/options'
import type { Conversation } from '../engine/conversation.ts'
import type { Recorder, SessionRecord } from '../engine/recorder.ts'
import type { Proven } from '../extract/candidate.ts'
import { findQuote } from '../extract/find-quote.ts'
import { isContested } from '../log/decision.ts'
import type { Statement } from '../log/decision-event.ts'
import type { SourceMessage, Span } from '../log/source.ts'
import { facts, findDecision } from './reading-tools.ts'
import type { recordSchema, retractSchema } from './tool-schemas.ts'

export interface RecordingInput {
  readonly recorder: Recorder
  readonly conversation: Conversation
}

async function findWords(quote: string | undefined, conversation: Conversation): Promise<Span | undefined> {
  const last = async (role: SourceMessage['role']) => {
    const pause = createPause()
    for (const message of conversation.newest(role)) {
      const span = findQuote(message, quote ?? '')
      if (span !== undefined) return span
      await pause()
    }
    return undefined
  }
  return quote === undefined ? undefined : ((await last('user')) ?? (await last('assistant')))
}

function usersWords(span: Span | undefined): Span | undefined {
  return span?.message.role === 'user' && !isPasted(span.message.text, span) ? span : undefined
}

function lastWords(conversation: Conversation): Span | undefined {
  const { value: message } = conversation.newest().next()
  return message && { message, start: 0, end: Math.min(message.text.length, 1_000) }
}

export async function record(
  {
    quote,
    replaces,
    kind = 'choice',
    category = 'decisions',
    subject,
    value,
    reason,
  }: z.output<ReturnType<typeof recordSchema>>,
  known: SessionRecord,
  { recorder, conversation }: RecordingInput,
): Promise<object> {
  const found = await findWords(quote, conversation)
  const isStated = usersWords(found) !== undefined
  const span = isStated || found?.message.role === 'assistant' ? found : lastWords(conversation)
  if (span === undefined)
    throw new InvalidOptionError(
      'quote',
      'nothing was said in this session yet; record it after the next message',
    )
  const statement: Statement = {
    kind,
    category,
    subject,
    value,
    l0: kind === 'rule' ? value : `${subject}: ${value}`,
    ...(reason !== undefined && { reason }),
  }
  const old = known.ledger.get(replaces?.replace(/^\[|\]$/g, '') ?? '')
  const candidate: Proven = {
    action: 'create',
    statement,
    span,
    authority: isStated ? 'stated' : 'proposed',
    ...(replaces !== undefined && { replaces: old?.id ?? replaces }),
  }
  const events = await recorder.resolve([candidate], { by: 'agent' })
  const { ledger, session } = await recorder.load()
  const begun = events.find(({ type }) => type !== 'superseded')
  const before =
    ledger.ofSubject(subject).find((each) => each.value === value) ?? ledger.ofSubject(subject).at(-1)
  const decision = begun === undefined ? before : ledger.get(begun.decision)
  if (decision === undefined)
    throw new InvalidOptionError(
      'value',
      'nothing was recorded: these words were on record before, and are over',
    )
  return {
    recorded: events.length > 0,
    decided: decision.status === 'active',
    ...(events.length === 0 && { hint: 'it was on record already' }),
    ...(isContested(decision) && {
      hint: 'another value holds too: ask the user, and record the answer with "replaces"',
    }),
    ...(!isStated && { note: noteOf(quote, found) }),
    superseded: events.flatMap((event) => (event.type === 'superseded' ? [event.decision] : [])),
    decision: facts(decision, session),
  }
}

function noteOf(quote: string | undefined, found: Span | undefined): string {
  const why =
    quote === undefined
      ? 'give the words of the user that decide it as "quote"'
      : found === undefined
        ? 'no message contains the quote; copy the words of the user exactly'
        : found.message.role === 'user'
          ? 'the user pasted or quotes that, and does not say it'
          : 'the quote is yours, not the words of the user'
  return `kept as a proposal: ${why}`
}

export async function retract(
  { id, reason, quote }: z.output<ReturnType<typeof retractSchema>>,
  { ledger, session }: SessionRecord,
  { recorder, conversation }: RecordingInput,
): Promise<object> {
  const decision = findDecision(ledger.all, id)
  if (decision.status === 'superseded' || decision.status === 'retracted')
    throw new InvalidOptionError('id', `${decision.id} is ${decision.status} already`)
  const found = await findWords(quote, conversation)
  const own = usersWords(found)
  const isSaidBy = decision.sources.some(
    (source) =>
      own !== undefined &&
      source.session === session &&
      source.seq === own.message.seq &&
      source.start === own.start,
  )
  if (decision.authority !== 'proposed' && (own === undefined || isSaidBy))
    throw new InvalidOptionError(
      'quote',
      `the user ${decision.authority} ${decision.id}: ask the user, and give the words that end it as "quote", copied exactly`,
    )
  const span = own ?? lastWords(conversation)
  if (span === undefined) throw new InvalidOptionError('id', 'nothing was said in this session yet')
  const { kind, category, subject, value, l0 } = decision
  const candidate: Proven = {
    action: 'retract',
    statement: { kind, category, subject, value, l0, reason },
    span,
    authority: own === undefined ? 'proposed' : 'stated',
    target: decision.id,
  }
  await recorder.resolve([candidate], { by: 'agent' })
  const after = (await recorder.load()).ledger.get(decision.id) ?? decision
  if (after.status !== 'retracted')
    throw new InvalidOptionError(
      'id',
      `${decision.id} was not taken back: it was said again after these words`,
    )
  return { retracted: true, decision: facts(after, session) }
}
