import type { SessionRef } from '../store/lcm-store.ts'

/** The order of sessions in lists and exports: principal and key by their UTF-8 bytes, as databases sort too. */
export function compareRefs(left: Required<SessionRef>, right: Required<SessionRef>): number {
  return compareTexts(left.principal, right.principal) || compareTexts(left.key, right.key)
}

function compareTexts(left: string, right: string): number {
  // Lone surrogates are all alike in UTF-8.
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) || (left < right ? -1 : Number(left > right))
}
