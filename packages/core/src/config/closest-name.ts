import leven from 'leven'

/** The name that was probably meant: it takes at most two changed letters, or one in four of a long name. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 4))
  const distances = known.map((other) => ({ other, distance: leven(name.toLowerCase(), other) }))
  const [best] = distances.sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.other : undefined
}
