import { hashText } from '../../log/hash-text.ts'

/** The head of an export. `version` grows when an older reader would read it wrong. */
export const EXPORT_FORMAT = { format: 'palimpsest-decisions', version: 1 } as const

/** Characters of an export that is read; a log of 100,000 events has about half of that. */
export const MAX_EXPORT_CHARACTERS = 128 * 1024 * 1024

/** JSON whose members are in one order: the same value is the same text, whoever wrote it down. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  )
}

/** SHA-256 of a scope and its events, one to a line, in hexadecimal. */
export function exportHash(scope: string, lines: readonly string[]): string {
  return hashText([scope, ...lines].join('\n'))
}
