import type { Scope } from '@palimpsest/decisions'

/**
 * The name that a record has in a store, below the project or session that it holds in: two projects have records of the
 * same name, and their texts must not be one.
 */
export function recordName(scope: Scope, fileName: string): string {
  return `${scope.replace(/^project:/, '')}/${fileName}`
}

/** The session that a record's text is kept as. */
export function recordSession(scope: Scope, fileName: string): string {
  return `file:${recordName(scope, fileName)}`
}
