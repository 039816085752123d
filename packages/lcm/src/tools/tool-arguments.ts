import { z } from '@palimpsest/core/options'

export function integer(min: number, max: number, description: string) {
  const read = (value: unknown) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && number > max ? max : number
  }
  return z.preprocess(read, z.int().min(min).max(max)).optional().describe(description)
}

/** A text that may arrive as a number, such as `57` for `m57`. */
export function reference(description: string) {
  return z.preprocess(numberText, z.string()).optional().describe(description)
}

export function requiredReferences(description: string) {
  const read = (value: unknown) => asList(Array.isArray(value) ? value.map(numberText) : numberText(value))
  return z.preprocess(read, z.array(z.string()).min(1)).describe(description)
}

export function flag(description: string) {
  const read = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
  return z.preprocess(read, z.boolean()).optional().describe(description)
}

export function choices<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) {
  return z
    .preprocess(asList, z.array(z.enum(values)))
    .optional()
    .describe(description)
}

export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) {
  return z.enum(values).optional().describe(description)
}

function asList(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value
}

function numberText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value
}
