import { z } from '@hono/zod-openapi'
import { errorText } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import * as zod from 'zod'

/** Characters of a name that are compared with those that are known. */
const MAX_NAME = 100

/** An object with these members alone. For another one, its error says which was probably meant. */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? describeUnknown(String(issue.keys?.[0] ?? ''), known) : undefined,
  })
}

/** In the words of the configuration, for which a name that is not known is the same fault. */
function describeUnknown(name: string, known: readonly string[]): string {
  const schema = zod.strictObject(Object.fromEntries(known.map((key) => [key, zod.unknown()]))).partial()
  const short = name.slice(0, MAX_NAME).toWellFormed()
  try {
    parseOptions(schema, { [short]: true }, '')
    return 'this key is not known here'
  } catch (error) {
    return errorText(error).slice(`${short}: `.length)
  }
}
