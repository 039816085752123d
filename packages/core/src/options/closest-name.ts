/** A short name is another one when a second letter differs: one typing mistake for each four letters, at least one. */
const LETTERS_PER_MISTAKE = 4

/** A name of fewer letters is no mistake for another. */
const SHORTEST = 3

/** Characters of a name that are compared; the work grows with their square. */
const MAX_CHARACTERS = 100

/**
 * The name that was probably meant: a letter more, less or changed, or two neighbours in the wrong order, once for each
 * four letters of what was written. Upper and lower case, `_`, `-` and spaces are the same.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const given = letters(name)
  if (given.length < SHORTEST) return undefined
  const limit = Math.max(1, Math.floor(given.length / LETTERS_PER_MISTAKE))
  const distances = known.map((other) => ({ other, distance: distance(given, letters(other)) }))
  const [best] = distances.sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.other : undefined
}

function letters(name: string): string {
  return name
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(/[\s_-]/g, '')
}

/** Optimal string alignment: insertions, deletions, changes, and swaps of two neighbours. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const [above = [], twoAbove = []] = [rows[i - 1], rows[i - 2]]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
