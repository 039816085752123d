import { redactSecrets, type ToolSchema } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { CATEGORIES, KINDS } from '../log/decision-event.ts'

const STATUSES = ['active', 'proposed', 'superseded', 'retracted', 'contested', 'all'] as const

const text = (max: number, description: string) => z.string().trim().min(1).max(max).describe(description)
const idSchema = lazily(() => text(100, 'Such as "d1a2b3c4d5e6", or its beginning.'))

/** Models sometimes write numbers as text or exceed the maximum; both are accepted. */
function numberOf(value: unknown): unknown {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' ? Math.min(number, 100) : number
}

export const listSchema = lazily(() =>
  z.object({
    query: text(2_000, 'Words of the subject: the best matches first.').optional(),
    subject: text(200, 'One subject, such as "database".').optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .describe('"active": what holds (default). "contested": active ones in doubt.'),
    kind: z.enum(KINDS).optional(),
    category: z.enum(CATEGORIES).optional(),
    limit: z.preprocess(numberOf, z.int().min(1)).optional().describe('1 to 100; default 20.'),
    cursor: z
      .preprocess(
        (value) => (typeof value === 'number' ? String(value) : value),
        z.string().regex(/^\d{1,9}$/),
      )
      .optional()
      .describe('"next" of the previous answer, with the same filters.'),
  }),
)
export const explainSchema = lazily(() => z.object({ id: idSchema() }))
export const recordSchema = lazily(() =>
  z.object({
    subject: text(100, 'What it is about, in 1 to 4 words: "database", "retry limit".'),
    value: text(600, 'What was decided, as it was said: "MySQL", "30 s"; of a rule, its words.'),
    kind: z.enum(KINDS).optional().describe('Default: choice.'),
    category: z.enum(CATEGORIES).optional(),
    reason: text(300, 'In the words of who decided it.').optional(),
    replaces: text(300, 'The id or the value that it replaces.').optional(),
    quote: text(1_000, "The user's words that decide it, copied exactly.").optional(),
  }),
)
export const retractSchema = lazily(() =>
  z.object({
    id: idSchema(),
    reason: text(300, 'Why it no longer holds.'),
    quote: text(
      1_000,
      "The user's words that end it, copied exactly. Needed for what the user stated.",
    ).optional(),
  }),
)

export const toolSchemas = lazily((): readonly ToolSchema[] => [
  toolSchema(
    'decisions_list',
    'Lists what is on record, also what the list at the top leaves out. "next" is the cursor for more.',
    listSchema(),
  ),
  toolSchema(
    'decisions_explain',
    'Why something is on record: the words, who said them in which turn, what it replaced and what replaced it.',
    explainSchema(),
  ),
  toolSchema(
    'decisions_record',
    'Records a choice, value, rule, date or fact that later work rests on, as soon as the user decides it. With a quote of the ' +
      'user it counts as decided; without one it is your proposal.',
    recordSchema(),
  ),
  toolSchema(
    'decisions_retract',
    'Takes back a decision that nothing replaces. For a new value use decisions_record with "replaces".',
    retractSchema(),
  ),
])

/** Redacts secrets, because arguments enter the log and the prompt. */
export function readArguments<Schema extends z.ZodObject>(schema: Schema, args: unknown): z.output<Schema> {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  const hide = (value: unknown) =>
    typeof value === 'string' && value.length <= 10_000 ? redactSecrets(value) : value
  const hidden =
    isObject && Object.fromEntries(Object.entries(args).map(([key, value]) => [key, hide(value)]))
  return readToolArguments(schema, hidden || args)
}
