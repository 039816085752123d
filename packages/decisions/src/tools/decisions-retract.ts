import { InvalidOptionError } from '@palimpsest/core'
import { lazily, toolSchema, z } from '@palimpsest/core/options'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { Decision } from '../log/decision.ts'
import { normalValue } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { saysOver } from '../quotes/refusals.ts'
import { namesDecision } from '../resolve/names-decision.ts'
import { decisionFacts } from './decision-facts.ts'
import { findDecision } from './find-decision.ts'
import { type FoundQuote, findQuote } from './find-quote.ts'
import { readArguments, text } from './read-arguments.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

const argumentSchema = lazily(() =>
  z.object({
    id: text(100, 'Such as "d1a2b3c4".'),
    reason: text(200, 'Why it no longer holds.'),
    quote: text(
      600,
      "The user's words that end it, copied exactly. Needed for what the user stated or accepted.",
    ).optional(),
  }),
)

/** The schema of `decisions_retract`, as a model gets it. */
export const decisionsRetractSchema = lazily(() =>
  toolSchema(
    'decisions_retract',
    'Takes back a decision that nothing replaces. For a new value use decisions_record: it replaces the old one.',
    argumentSchema(),
  ),
)

/** Ends a decision, when the words that end it have the authority. */
export async function decisionsRetract(args: unknown, input: DecisionsToolsInput): Promise<object> {
  const { id, reason, quote } = readArguments(argumentSchema(), args)
  const decision = findDecision(await input.ledger(), id)
  if (decision.status === 'superseded' || decision.status === 'retracted')
    throw new InvalidOptionError(
      'id',
      `${decision.id} is ${decision.status} already; there is nothing to take back`,
    )
  const messages = quote === undefined ? [] : await input.messagesFrom(0)
  const found = quote === undefined ? undefined : findQuote(messages, quote)
  const fault =
    found === undefined ? 'no message contains the quote' : faultOf(found, decision, messages, input.session)
  const isUsers = decision.authority === 'stated' || decision.authority === 'accepted'
  if (isUsers && (quote === undefined || fault !== undefined))
    throw new InvalidOptionError('quote', advice(decision, quote, fault))
  const span = found !== undefined && fault === undefined ? found : undefined
  const events = await input.retract(
    decision.id,
    reason,
    span && { message: span.message, start: span.start, end: span.end },
  )
  if (events.length === 0)
    throw new InvalidOptionError(
      'id',
      `${decision.id} was not taken back: the log holds nothing newer that ends it`,
    )
  const after = (await input.ledger()).get(decision.id) ?? decision
  return { retracted: after.status === 'retracted', decision: decisionFacts(after, input.session) }
}

/** The fault of words that are said to end a decision; undefined when they may. */
function faultOf(
  found: FoundQuote,
  decision: Decision,
  messages: readonly SourceMessage[],
  session: string,
): string | undefined {
  if (found.role !== 'user') return 'the quote is not from a message of the user'
  const here = decision.sources.filter((source) => source.session === session)
  if (here.some((source) => overlaps(source, found))) return 'the quote is what the decision was read from'
  if (here.some((source) => !isBehind(found, source))) return 'the quote is older than the decision'
  if (found.saying !== 'stated' || !saysOver(normalValue(found.text)))
    return 'the quote does not say that anything is over'
  return namesDecision(found.text, decision) || answers(found, here, messages)
    ? undefined
    : 'the quote does not say what is over'
}

function overlaps(source: Source, { message, start, end }: FoundQuote): boolean {
  return source.message === message && source.start < end && start < source.end
}

function isBehind({ message, start }: FoundQuote, source: Source): boolean {
  return message === source.message ? start >= source.end : message > source.message
}

const POINTS_BACK =
  /(?<!\p{L})(?:that|this|it|those|these|the (?:last|previous) (?:one|decision|rule|choice|point)|das|dies\p{L}*|es|ça|cela|eso|esto|isso|isto|это|этого)(?!\p{L})|[那这這]|それ|これ|그거|그것|이거/iu

/** Whether words point back to what the user said last: "scrap that", in the same message or the user's next one. */
function answers(
  { message, text }: FoundQuote,
  here: readonly Source[],
  messages: readonly SourceMessage[],
): boolean {
  const last = here.findLast(({ role }) => role === 'user')
  if (last === undefined || !POINTS_BACK.test(text)) return false
  return !messages.some(
    (each) =>
      each.role === 'user' &&
      each.text.trim() !== '' &&
      each.message > last.message &&
      each.message < message,
  )
}

function advice({ id, authority }: Decision, quote: string | undefined, fault: string | undefined): string {
  const why = quote === undefined ? '' : `${fault}; `
  return `${why}the user ${authority} ${id}: ask the user, and give the words that end it as "quote", copied exactly`
}
