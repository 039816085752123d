import { closestName } from './closest-name.ts'

/** What to say about a key that is not known: the key that was probably meant, and all that are known there. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'this key is not known here'
  const meant = closestName(key, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `this key is not known here${question}; known keys: ${known.join(', ')}`
}
