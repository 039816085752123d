interface RetryHints {
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined
  readonly message: string
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * "Please try again in 6m0s", "in 1.2s", "in 20ms" (OpenAI, Groq), "retry in 13.5s" (Google), "retry after 20 seconds"
 * (Azure).
 */
const WAIT =
  /(?:try again|retry) (?:in|after) (?:(\d+) ?h)?(?:(\d+) ?m(?!s|illi))?(?:(\d+(?:\.\d+)?) ?(ms|milli|s))?/i

/** Milliseconds to wait: from `retry-after-ms`, `retry-after` (seconds or a date), or the message. */
export function retryAfterMs({ headers, message }: RetryHints): number | undefined {
  return (headers && fromHeaders(new Headers(headers))) ?? fromText(message)
}

function fromHeaders(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  const after = headers.get('retry-after') ?? ''
  const seconds = /^\s*[\d.]+\s*$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - Date.now()
  const found = [ms, seconds].find(Number.isFinite)
  return found === undefined ? undefined : Math.max(0, Math.ceil(found))
}

function fromText(message: string): number | undefined {
  const [, hours, minutes, amount, unit] = WAIT.exec(message) ?? []
  if (hours === undefined && minutes === undefined && amount === undefined) return undefined
  const rest = Number(amount ?? 0) * (unit?.toLowerCase() === 's' ? SECOND_MS : 1)
  return Math.ceil(Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + rest)
}
