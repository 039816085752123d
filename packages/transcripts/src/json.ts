export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string that can serve as a name or an id: not empty. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value of JSON text, or undefined: JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Deeper than any message, and shallow enough for everything that walks a value by recursion. */
const deepest = 500

/** False for a value that is nested so deeply that to copy or print it would exhaust the stack. */
export function isShallow(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

const longestQuote = 40

/** A value from the file for use in a message: bounded, and with control characters escaped. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote - 1)}…`
}

/** The name of a kind of record as it came, if it looks like one; quoted otherwise. */
export function kindName(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,40}$/.test(value) ? value : quote(value)
}

/** Milliseconds since the epoch of a recorded time: a number of milliseconds or an ISO date. */
export function timestampOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

/**
 * Recorded arguments of a call as JSON text. Text that parses is kept byte for byte. No arguments are `{}`.
 * Text that does not parse, because the response was cut off inside it, is kept whole under `_raw`.
 */
export function toolArguments(recorded: unknown): string {
  if (recorded === undefined || recorded === null || recorded === '') return '{}'
  if (typeof recorded !== 'string') return JSON.stringify(recorded)
  return parseJson(recorded) === undefined ? JSON.stringify({ _raw: recorded }) : recorded
}
