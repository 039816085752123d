import { closestName } from './closest-name.ts'

/** Names the key that was probably meant, and all known ones. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'this key is not known here'
  const meant = closestName(key, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `this key is not known here${question}; known keys: ${known.join(', ')}`
}
