import { extractIdentifiers } from './extract-identifiers.ts'

/** The wordings of the identifiers that a text holds, or the set itself. */
export function identifierSet(seen: ReadonlySet<string> | string | undefined): ReadonlySet<string> {
  if (seen === undefined) return new Set()
  return typeof seen === 'string' ? new Set(extractIdentifiers(seen).map(({ text }) => text)) : seen
}
