import { redactSecrets } from '@palimpsest/core'
import type { SessionView } from '@palimpsest/inspector'

/** The same session without the secrets in its texts, names, quotes and arguments. */
export function redactView(view: SessionView): SessionView {
  return redacted(view) as SessionView
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner)]))
}
