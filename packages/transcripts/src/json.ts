export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Deeper than any message, and shallow enough for recursive code. */
const deepest = 500

export function isShallow(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

const longestQuote = 40

export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote - 1)}…`
}

/** The name of a kind of record as it came, if it looks like one; quoted otherwise. */
export function kindName(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,40}$/.test(value) ? value : quote(value)
}

export function timestampOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}

/**
 * Recorded arguments as JSON text. Valid text is kept byte for byte; missing arguments become `{}`. Invalid text, from
 * a response that was cut off, is kept under `_raw`.
 */
export function toolArguments(recorded: unknown): string {
  if (recorded === undefined || recorded === null || recorded === '') return '{}'
  if (typeof recorded !== 'string') return JSON.stringify(recorded)
  return parseJson(recorded) === undefined ? JSON.stringify({ _raw: recorded }) : recorded
}
