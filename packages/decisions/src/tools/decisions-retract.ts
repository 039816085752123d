import { InvalidOptionError } from '@palimpsest/core'
import * as z from 'zod'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { Decision } from '../log/decision.ts'
import { decisionFacts } from './decision-facts.ts'
import { findDecision } from './find-decision.ts'
import { type FoundQuote, findQuote } from './find-quote.ts'
import { readArguments, text, toolSchema } from './read-arguments.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

/** Characters below which words can be found by chance; a whole message may be as short as "no". */
const LEAST_QUOTE = 8

const argumentSchema = z.object({
  id: text(100, 'The id of the decision, such as "d1a2b3c4"; the beginning is enough.'),
  reason: text(200, 'Why it no longer holds.'),
  quote: text(
    600,
    "The user's words that end it, copied exactly. Needed for what the user stated or accepted; not for proposals.",
  ).optional(),
})

/** What a model is told about `decisions_retract`. */
export const decisionsRetractSchema = toolSchema(
  'decisions_retract',
  'Takes back a decision that nothing replaces. What the user stated or accepted ends only with a quote of the user that says so; ' +
    'what was only proposed or executed may be taken back without one. For a new value use decisions_record: it replaces the old one.',
  argumentSchema,
)

/** Ends a decision, when somebody said so who may. */
export async function decisionsRetract(args: unknown, input: DecisionsToolsInput): Promise<object> {
  const { id, reason, quote } = readArguments(argumentSchema, args)
  const decision = findDecision(await input.ledger(), id)
  if (decision.status === 'superseded' || decision.status === 'retracted')
    throw new InvalidOptionError(
      'id',
      `${decision.id} is ${decision.status} already; there is nothing to take back`,
    )
  const messages = quote === undefined ? [] : await input.messagesFrom(0)
  const found = quote === undefined ? undefined : findQuote(messages, quote)
  const fault =
    found === undefined ? 'nobody said the quote' : faultOf(found, decision, messages, input.session)
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

/** What is wrong with words that are said to end a decision; undefined when they may. */
function faultOf(
  { role, text: said, message, start, end }: FoundQuote,
  { sources }: Decision,
  messages: readonly SourceMessage[],
  session: string,
): string | undefined {
  if (role !== 'user') return 'the quote is not from a message of the user'
  const whole = messages.find((each) => each.message === message)?.text.trim()
  if (said.length < LEAST_QUOTE && said !== whole) return 'the quote is too short to tell what it means'
  const isSource = sources.some(
    (source) =>
      source.session === session && source.message === message && source.start < end && start < source.end,
  )
  return isSource ? 'the quote is what the decision was read from' : undefined
}

function advice({ id, authority }: Decision, quote: string | undefined, fault: string | undefined): string {
  const why = quote === undefined ? '' : `${fault}; `
  return `${why}the user ${authority} ${id}: ask the user, and give the words that end it as "quote", copied exactly`
}
