import { redactCommandPasswords } from './command-passwords.ts'
import { CONTEXT_PATTERNS } from './context-patterns.ts'
import { redactNamedSettings } from './named-settings.ts'
import { redactPrivateKeys } from './private-keys.ts'
import { type SecretPattern, TOKEN_PATTERNS } from './secret-patterns.ts'
import { isHarmless } from './secret-value.ts'
import { redactWrapped } from './wrapped-secrets.ts'

/**
 * Hides keys, tokens, passwords and private keys as `[REDACTED:kind]`; the name of a setting stays. Idempotent and
 * linear; a text without secrets is returned as the same string. References such as `process.env.API_KEY`,
 * `${TOKEN}`, paths and placeholders are left alone. A secret that looks like an ordinary word, or that nothing
 * announces, is not found.
 */
export function redactSecrets(text: string): string {
  let result = redactPrivateKeys(text, mark('private-key'))
  for (const pattern of TOKEN_PATTERNS) result = hide(result, pattern)
  result = redactWrapped(result, mark('base64'), redactSecrets)
  for (const pattern of CONTEXT_PATTERNS) result = hide(result, pattern)
  result = redactCommandPasswords(result, mark('command-line'))
  return redactNamedSettings(result, mark)
}

function hide(text: string, { kind, pattern, hints, judge }: SecretPattern): string {
  if (!hints.some((hint) => text.includes(hint))) return text
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const secret = typeof groups === 'object' ? (groups as { secret?: string } | null)?.secret : undefined
    if (secret === undefined) return mark(kind)
    if (isHarmless(secret) || judge?.(secret) === false) return match
    const at = match.lastIndexOf(secret)
    return match.slice(0, at) + mark(kind) + match.slice(at + secret.length)
  })
}

function mark(kind: string): string {
  return `[REDACTED:${kind}]`
}
