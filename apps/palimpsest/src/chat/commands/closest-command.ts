/** The name that was probably meant: at most two letters are wrong, missing, too many, or changed places. */
export function closestCommand(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((other) => ({ other, distance: distance(name.toLowerCase(), other) }))
    .sort((a, b) => a.distance - b.distance)
  // Two letters of a word of three are another word.
  return best !== undefined && best.distance <= Math.min(2, name.length - 2) ? best.other : undefined
}

/** The edit distance of two short words, a swap of neighbours counting once (Damerau, 1964). */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      line[column] = Math.min(
        at(last, column) + 1,
        at(line, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = line
  }
  return at(last, to.length)
}

function at(line: readonly number[], index: number): number {
  return line[index] ?? Number.POSITIVE_INFINITY
}
