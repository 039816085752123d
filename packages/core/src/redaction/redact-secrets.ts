import { SECRET_PATTERNS, type SecretPattern } from './secret-patterns.ts'

/** A function that hides secrets in a text. */
export type Redactor = (text: string) => string

/**
 * Hides keys, tokens, passwords and private keys: each becomes `[REDACTED:kind]`, the name of a setting stays.
 * Idempotent and linear. A text without secrets is returned as the same string. References such as
 * `process.env.API_KEY`, `${TOKEN}` and placeholders are left alone.
 */
export const redactSecrets: Redactor = (text) => {
  const lower = text.toLowerCase()
  let result = text
  for (const secret of SECRET_PATTERNS) {
    if (secret.hints.some((hint) => lower.includes(hint))) result = hide(result, secret)
  }
  return result
}

function hide(text: string, { kind, pattern }: SecretPattern): string {
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1)
    const { secret, quoted, quoted2, bare } = (typeof groups === 'object' ? groups : {}) as Groups
    const value = secret ?? quoted ?? quoted2 ?? bare ?? match
    if (isReference(value)) return match
    if (bare !== undefined && !isLiteral(bare, match)) return match
    const mark = `[REDACTED:${kind}]`
    if (value === match) return mark
    const at = match.lastIndexOf(value)
    return match.slice(0, at) + mark + match.slice(at + value.length)
  })
}

interface Groups {
  readonly secret?: string
  readonly quoted?: string
  readonly quoted2?: string
  readonly bare?: string
}

/** Redacted already, a pointer to a secret instead of the secret, or the name of a type. */
function isReference(value: string): boolean {
  return (
    value.includes('[REDACTED') ||
    /^(?:process\.env|import\.meta|os\.environ|env\.|secrets?\.|\$|%\w+%|\{\{|<|\*{3,}|x{4,}$|\.{3})/i.test(
      value,
    ) ||
    /^(?:true|false|null|undefined|none|required|optional|string|number|boolean)\b/i.test(value)
  )
}

/**
 * Whether an unquoted value is a secret and not code. Source text is full of `token: string` and
 * `password = readPassword`: a plain word or a member access is left, unless it stands in `NAME=value` as an
 * environment file has it; what has a digit or a sign in it is hidden.
 */
function isLiteral(value: string, match: string): boolean {
  if (/^[A-Z0-9_]+=\S+$/.test(match)) return true
  return !/^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$][\w$]*)*[?!]?$/.test(value) && !/^\d{1,9}$/.test(value)
}
