import { lazily, z } from '@palimpsest/core/options'
import { AUTHORITIES, CATEGORIES, type DecisionEvent, FINDERS, KINDS } from '../log/decision-event.ts'

/** A moment in milliseconds since the epoch, as far as a `Date` goes. */
export const timeSchema = lazily(() => z.number().min(0).max(8.64e15))
/** An index or a count. */
export const countSchema = lazily(() => z.int().min(0))
/** A name or an id. */
export const nameSchema = lazily(() => z.string().min(1).max(1_000))
/** SHA-256 in hexadecimal. */
export const hashSchema = lazily(() =>
  z.string().regex(/^[0-9a-f]{64}$/, 'expected SHA-256 as 64 hexadecimal digits'),
)
/** `session:<id>` or `project:<name>`. */
export const scopeSchema = lazily(() =>
  z.templateLiteral([z.enum(['session', 'project']), ':', nameSchema()]),
)
export const roleSchema = lazily(() => z.enum(['system', 'developer', 'user', 'assistant', 'tool']))

const id = (prefix: 'd' | 'e') =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-f]{12}$`), `expected ${prefix} and 12 hexadecimal digits`)

/** The shape of an entry of the log. `eventFault` says whether its source is true. */
export const eventSchema = lazily(() => {
  const base = { id: id('e'), scope: scopeSchema(), at: timeSchema() }
  const source = z
    .object({
      ...{ session: nameSchema(), turn: countSchema(), message: countSchema(), role: roleSchema() },
      ...{
        start: countSchema(),
        end: countSchema(),
        quote: z.string(),
        hash: hashSchema(),
        edition: countSchema(),
      },
    })
    .refine(({ start, end, quote }) => end - start === quote.length, {
      path: ['quote'],
      error: 'expected as many characters as lie between start and end',
    })
  const said = { ...base, decision: id('d'), source, authority: z.enum(AUTHORITIES), by: z.enum(FINDERS) }
  const text = z.string().exactOptional()
  const statement = z.object({
    ...{ kind: z.enum(KINDS), category: z.enum(CATEGORIES), subject: nameSchema(), value: z.string() },
    ...{ l0: z.string(), l1: text, reason: text },
  })
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('asserted'), ...said, statement }),
    z.object({ type: z.literal('proposed'), ...said, statement }),
    z.object({ type: z.literal('accepted'), ...said }),
    z.object({ type: z.literal('merged'), ...said, text }),
    z.object({ type: z.literal('superseded'), ...said, supersededBy: id('d'), reason: text }),
    z.object({ type: z.literal('retracted'), ...said, reason: text }),
    z.object({
      type: z.literal('withdrawn'),
      ...base,
      session: nameSchema(),
      from: countSchema(),
      edition: countSchema(),
    }),
  ]) satisfies z.ZodType<DecisionEvent>
})

/** The longest event that is kept, in characters of its JSON text: a quote is a sentence or a few, no paste. */
export const MAX_EVENT_CHARACTERS = 65_536
