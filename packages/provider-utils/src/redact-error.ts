import { redactSecrets } from '@palimpsest/core'

/** Shorter secrets are not secrets, and replacing them would garble the text. In characters. */
const SHORTEST_SECRET = 4

/** How many causes a copy keeps. */
const MAX_CAUSES = 5

/** The text without these secrets and without anything that looks like one. */
export function redactText(text: string, secrets: readonly string[]): string {
  let redacted = text
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) redacted = redacted.replaceAll(secret, '[REDACTED:key]')
  return redactSecrets(redacted)
}

/**
 * A copy of an error without secrets, to be the cause of another. A copy, because the original may carry them in
 * members that nobody knows of, such as the request. Causes deeper than five levels are left out.
 */
export function redactError(error: unknown, secrets: readonly string[], depth = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return redactText(String(error), secrets)
  const { code } = error as { readonly code?: unknown }
  const options =
    error.cause === undefined || depth <= 1 ? {} : { cause: redactError(error.cause, secrets, depth - 1) }
  const copy = new Error(redactText(error.message, secrets), options)
  copy.name = error.name
  if (error.stack !== undefined) copy.stack = redactText(error.stack, secrets)
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy
}
