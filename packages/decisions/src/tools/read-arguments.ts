import { redactSecrets } from '@palimpsest/core'
import { readToolArguments, z } from '@palimpsest/core/options'

/** A text that has to say something. */
export function text(max: number, description: string) {
  return z.string().trim().min(1).max(max).describe(description)
}

/** A number of things. Models write numbers as text now and then, and ask for more than there is: both are understood. */
export function amount(max: number, description: string) {
  const read = (value: unknown) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof number === 'number' ? Math.min(number, max) : number
  }
  return z.preprocess(read, z.int().min(1).max(max)).optional().describe(description)
}

/**
 * Arguments as a model sent them, with secrets hidden: what a tool is given gets into the log and into the prompt.
 *
 * @throws InvalidOptionError that names the first argument that is wrong or not known, and says what is right.
 */
export function readArguments<Schema extends z.ZodObject>(schema: Schema, args: unknown): z.output<Schema> {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  return readToolArguments(schema, isObject ? redactValues(args) : args)
}

/** Every argument is shorter: the schema refuses a longer text, and nothing reads or repeats it. In characters. */
const LONGEST_TEXT = 10_000

function redactValues(args: object): object {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' && value.length <= LONGEST_TEXT ? redactSecrets(value) : value,
    ]),
  )
}
