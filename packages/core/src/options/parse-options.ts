import type * as z from 'zod'
import { InvalidOptionError } from '../errors/errors.ts'
import { closestName } from './closest-name.ts'

/**
 * Checks a value against a schema and returns the parsed value. The error names the path of the first fault below
 * `path` and how to fix it; further faults follow in its text, one a line. An unknown key is named with the known
 * ones.
 *
 * @throws InvalidOptionError
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.flatMap((issue) => describeIssue(issue, schema, path))
  const [first] = faults
  throw new InvalidOptionError(
    first?.path ?? path,
    faults.map(({ path: at, text }) => (at === '' ? text : `${at}: ${text}`)).join('\n'),
  )
}

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  base: string,
): { path: string; text: string }[] {
  const path = joinPath(base, issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ path, text: plainMessage(issue.message) }]
  const known = schemaKeys(schema, issue.path)
  return issue.keys.map((key) => ({ path: joinPath(path, [key]), text: describeUnknownKey(key, known) }))
}

function joinPath(base: string, keys: readonly PropertyKey[]): string {
  return [base, ...keys.map(String)].filter((part) => part !== '').join('.')
}

/** "Invalid input: expected number, received string" without its first words: the path stands there already. */
function plainMessage(message: string): string {
  const text = message.replace(/^(?:Invalid (?:input|option)|Too (?:big|small)): /, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Wrappers of a schema that keep its keys: `optional`, `default`, `prefault` and the like. */
type Definition = {
  readonly innerType?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

/** The keys that a schema knows at a path below it; none where it is not an object. */
export function schemaKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let shape = objectShape(schema)
  for (const key of path) {
    const member = shape !== undefined && Object.hasOwn(shape, key) ? shape[String(key)] : undefined
    shape = member === undefined ? undefined : objectShape(member)
  }
  return Object.keys(shape ?? {})
}

function objectShape(schema: z.core.$ZodType): Definition['shape'] {
  let definition = schema._zod.def as Definition
  while (definition.innerType !== undefined) definition = definition.innerType._zod.def as Definition
  return definition.shape
}

/** Names the key that was probably meant, and all known ones. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'this key is not known here'
  const meant = closestName(key, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `this key is not known here${question}; known keys: ${known.join(', ')}`
}
