import { lazily, z } from '@palimpsest/core/options'
import { AUTHORITIES, CATEGORIES, type DecisionEvent } from '../log/decision-event.ts'

/** The last moment that a `Date` can hold, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15

/** A moment in milliseconds since the epoch, such as a clock gives. */
export const timeSchema = lazily(() => z.number().min(0).max(LAST_TIME))
/** An index or a count. */
export const countSchema = lazily(() => z.int().min(0))
/** A name or an id: some text, and not a novel. */
export const nameSchema = lazily(() => z.string().min(1).max(1_000))
/** SHA-256 in hexadecimal. */
export const hashSchema = lazily(() =>
  z.string().regex(/^[0-9a-f]{64}$/, 'expected SHA-256 as 64 hexadecimal digits'),
)

/** `session:<id>` or `project:<name>`. */
export const scopeSchema = lazily(() =>
  z.templateLiteral([z.enum(['session', 'project']), ':', nameSchema()]),
)

/** An id as `eventId` and `decisionId` make it. */
const id = (prefix: 'd' | 'e') =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-f]{12}$`), `expected ${prefix} and 12 hexadecimal digits`)

const sourceSchema = lazily(() =>
  z
    .object({
      session: nameSchema(),
      turn: countSchema(),
      message: countSchema(),
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      start: countSchema(),
      end: countSchema(),
      quote: z.string(),
      hash: hashSchema(),
      edition: countSchema(),
    })
    .refine(({ start, end, quote }) => end - start === quote.length, {
      path: ['quote'],
      error: 'expected as many characters as lie between start and end',
    }),
)

const choiceSchema = lazily(() =>
  z.object({
    slot: nameSchema(),
    area: z.string(),
    choice: z.string(),
    category: z.enum(CATEGORIES),
    cardinality: z.enum(['one', 'many']),
    l0: z.string(),
    l1: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    entities: z.array(z.string()),
    dependsOn: z.array(id('d')),
  }),
)

/** The shape of an entry of the log: it has a source, or it is a withdrawal. `checkEvents` says whether the source is true. */
export const eventSchema = lazily(() => {
  const base = { id: id('e'), scope: scopeSchema(), at: timeSchema() }
  const said = {
    ...base,
    decision: id('d'),
    source: sourceSchema(),
    authority: z.enum(AUTHORITIES),
    by: z.enum(['rules', 'model', 'tool', 'host', 'import']),
    imported: z.literal(true).exactOptional(),
  }
  const reason = z.string().exactOptional()
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('asserted'), ...said, choice: choiceSchema() }),
    z.object({ type: z.literal('proposed'), ...said, choice: choiceSchema() }),
    z.object({ type: z.literal('accepted'), ...said }),
    z.object({
      type: z.literal('superseded'),
      ...said,
      supersededBy: id('d'),
      area: z.string().exactOptional(),
      reason,
    }),
    z.object({ type: z.literal('retracted'), ...said, reason }),
    z.object({ type: z.literal('reaffirmed'), ...said }),
    z.object({ type: z.literal('remarked'), ...said }),
    z.object({ type: z.literal('merged'), ...said, text: z.string(), l1: z.string().exactOptional() }),
    z.object({
      type: z.literal('withdrawn'),
      ...base,
      session: nameSchema(),
      from: countSchema(),
      edition: countSchema(),
    }),
  ]) satisfies z.ZodType<DecisionEvent>
})

/**
 * The longest event that is kept, in characters of its JSON text. A quote is a sentence or a few; a paste that was
 * taken for one is refused.
 */
export const MAX_EVENT_CHARACTERS = 65_536

/** The JSON text of an event as it is kept; undefined when it is too long for that. */
export function encodeEvent(event: DecisionEvent): string | undefined {
  const json = JSON.stringify(event)
  return json.length > MAX_EVENT_CHARACTERS ? undefined : json
}
