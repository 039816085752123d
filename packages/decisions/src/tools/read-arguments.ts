import { InvalidOptionError, type ToolSchema } from '@palimpsest/core'
import * as z from 'zod'
import { lineText } from '../render/line-text.ts'

const SHOWN_TOKENS = 25

/** A text that has to say something. */
export function text(max: number, description: string) {
  return z.string().trim().min(1).max(max).describe(`${description} At most ${max} characters.`)
}

/** A number of things. Models write numbers as text now and then, and ask for more than there is: both are understood. */
export function amount(max: number, description: string) {
  const read = (value: unknown) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof number === 'number' ? Math.min(number, max) : number
  }
  return z.preprocess(read, z.int().min(1).max(max)).optional().describe(description)
}

/** What a tool is called and what it takes, for a model. */
export function toolSchema(name: string, description: string, schema: z.ZodObject): ToolSchema {
  const { $schema, additionalProperties, ...parameters } = z.toJSONSchema(schema)
  return { type: 'function', function: { name, description, parameters } }
}

/**
 * Arguments as a model sent them. What is null counts as not given.
 *
 * @throws InvalidOptionError that names the first argument that is wrong or not known, and says what is right.
 */
export function readArguments<Schema extends z.ZodObject>(schema: Schema, args: unknown): z.output<Schema> {
  const isMissing = args === undefined || args === null
  if (!isMissing && (typeof args !== 'object' || Array.isArray(args)))
    throw new InvalidOptionError('', 'the arguments must be one JSON object, such as {}')
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const known = Object.keys(schema.shape)
  const strange = given.map(([key]) => key).find((key) => !known.includes(key))
  if (strange !== undefined) {
    const shown = lineText(strange, SHOWN_TOKENS)
    throw new InvalidOptionError(shown, `there is no argument "${shown}"; there are: ${known.join(', ')}`)
  }
  const result = schema.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = String(issue?.path[0] ?? '')
  const meaning = (schema.shape[name] as z.ZodType | undefined)?.description ?? ''
  const fault = lineText(issue?.message ?? 'not valid', SHOWN_TOKENS)
  throw new InvalidOptionError(name, `"${name}" is wrong (${fault}); it takes: ${meaning}`)
}
