import leven from 'leven'

/** What to say about a key that is not known: the key that was probably meant, and all that are known there. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'this key is not known here'
  const meant = closest(key, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `this key is not known here${question}; known keys: ${known.join(', ')}`
}

/** The nearest known key, if it takes no more than two changed letters, or one in four of a long key. */
function closest(key: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(key.length / 4))
  const distances = known.map((name) => ({ name, distance: leven(key.toLowerCase(), name) }))
  const [best] = distances.sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.name : undefined
}
