import { InvalidOptionError, type ToolSchema } from '@palimpsest/core'
import * as z from 'zod'
import { unknownArgument } from './unknown-argument.ts'

/** Names and shapes of the arguments of a tool. */
export type ArgumentSchema = z.ZodObject

/** An integer. Models write numbers as text now and then, and ask for more than there is: both are understood. */
export function integer(min: number, max: number, description: string) {
  const read = (value: unknown) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && number > max ? max : number
  }
  return z.preprocess(read, z.int().min(min).max(max)).optional().describe(description)
}

/** A text that may come as a number, such as `57` for `m57`. */
export function reference(description: string) {
  return z.preprocess(numberText, z.string()).optional().describe(description)
}

/** A reference that has to be given. */
export function requiredReference(description: string) {
  return z.preprocess(numberText, z.string()).describe(description)
}

/** True or false, as a text too. */
export function flag(description: string) {
  const read = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
  return z.preprocess(read, z.boolean()).optional().describe(description)
}

/** A list of texts; a single one stands for a list of one. */
export function texts(max: number, description: string) {
  return z.preprocess(asList, z.array(z.string()).max(max)).optional().describe(description)
}

/** A list of a few words; a single one stands for a list of one. */
export function choices<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) {
  return z
    .preprocess(asList, z.array(z.enum(values)))
    .optional()
    .describe(description)
}

/** One of a few words. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) {
  return z.enum(values).optional().describe(description)
}

/** What a tool is called and what it takes, for a model. */
export function toolSchema(name: string, description: string, schema: ArgumentSchema): ToolSchema {
  const { $schema, additionalProperties, ...parameters } = z.toJSONSchema(schema)
  return { type: 'function', function: { name, description, parameters } }
}

/**
 * Arguments as a model sent them. What is null counts as not given.
 *
 * @throws InvalidOptionError that names the first argument that is wrong or not known, and says what is right.
 */
export function readArguments<Schema extends ArgumentSchema>(
  schema: Schema,
  args: unknown,
): z.output<Schema> {
  if (args !== undefined && args !== null && (typeof args !== 'object' || Array.isArray(args))) {
    throw new InvalidOptionError('', 'the arguments must be one JSON object, such as {}')
  }
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const unknown = given.find(([key]) => !Object.hasOwn(schema.shape, key))
  if (unknown !== undefined) throw unknownArgument(unknown[0], Object.keys(schema.shape))
  const result = schema.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? '')
  const fault = issue?.message.replace(/^[\w ]+: /, '') ?? 'not valid'
  const meaning = (schema.shape[name] as z.ZodType | undefined)?.description ?? ''
  throw new InvalidOptionError(name, `"${name}" is wrong (${fault}); it takes: ${meaning}`)
}

function asList(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value
}

function numberText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value
}
