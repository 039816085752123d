import type * as z from 'zod'
import { InvalidOptionError } from '../errors/errors.ts'
import { looseOf } from '../messages/json-value.ts'
import type { ToolSchema } from '../spec/v1/index.ts'
import { closestName } from './parse-options.ts'

/**
 * Left out of tool schemas: each keyword costs tokens in every request, and descriptions name the bounds that matter.
 */
const BOUNDS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'maxItems'] as const

/** The schema of a tool for a model: name, purpose, and arguments without bounds. */
export function toolSchema(name: string, description: string, schema: z.ZodObject): ToolSchema {
  const { $schema, additionalProperties, ...parameters } = schema.toJSONSchema({
    override({ jsonSchema }) {
      for (const bound of BOUNDS) delete jsonSchema[bound]
    },
  })
  return { type: 'function', function: { name, description, parameters } }
}

/**
 * Validates a tool's arguments. Null counts as not given.
 *
 * @throws InvalidOptionError that names the first wrong or unknown argument and its meaning.
 */
export function readToolArguments<Schema extends z.ZodObject>(
  schema: Schema,
  args: unknown,
): z.output<Schema> {
  if (args !== undefined && args !== null && (typeof args !== 'object' || Array.isArray(args)))
    throw new InvalidOptionError('', 'the arguments must be one JSON object, such as {}')
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== null && value !== undefined)
  const unknown = given.find(([key]) => !Object.hasOwn(schema.shape, key))
  if (unknown !== undefined) throw unknownArgument(unknown[0], Object.keys(schema.shape))
  const result = schema.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? '')
  const fault = shown(issue?.message.replace(/^[\w ]+: /, '') ?? 'not valid')
  // An optional argument has its description inside.
  const { properties } = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  const meaning = looseOf(properties?.[name]).description
  const right = meaning === undefined ? '' : `; it takes: ${meaning}`
  throw new InvalidOptionError(name, `"${name}" is wrong (${fault})${right}`)
}

function unknownArgument(given: string, known: readonly string[]): InvalidOptionError {
  const name = shown(given)
  if (known.length === 0) return new InvalidOptionError(name, `there is no argument "${name}"; it takes none`)
  const meant = closestName(given, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return new InvalidOptionError(
    name,
    `there is no argument "${name}"${question}; there are: ${known.join(', ')}`,
  )
}

const SHOWN_CHARACTERS = 100

function shown(text: string): string {
  const line = text
    .slice(0, SHOWN_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
  return text.length <= SHOWN_CHARACTERS ? line : `${line}…`
}
