import { redactSecrets } from '@palimpsest/core'

/** Shorter secrets are not secrets, and replacing them would garble the text. */
const shortestSecret = 4

/** The text without these secrets and without anything that looks like one. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text
  for (const secret of secrets)
    if (secret.length >= shortestSecret) redacted = redacted.replaceAll(secret, '[REDACTED:key]')
  return redactSecrets(redacted)
}

/**
 * A copy of an error without secrets, to be the cause of another. A copy, because the original may carry them in
 * members that nobody knows of. Causes deeper than five levels are left out.
 */
export function redactError(error: unknown, secrets: readonly string[], depth = 5): unknown {
  if (!(error instanceof Error)) return redact(String(error), secrets)
  const { code } = error as { readonly code?: unknown }
  const options =
    error.cause === undefined || depth <= 1 ? {} : { cause: redactError(error.cause, secrets, depth - 1) }
  const copy = new Error(redact(error.message, secrets), options)
  copy.name = error.name
  if (error.stack !== undefined) copy.stack = redact(error.stack, secrets)
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy
}
