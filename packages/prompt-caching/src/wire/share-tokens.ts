/**
 * Shares a count of tokens out in proportion to weights, which are above zero. The shares are whole numbers and sum to
 * the count exactly: what is rounded is where each share ends, so no error adds up.
 */
export function shareTokens(tokens: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weight = 0
  let given = 0
  return weights.map((own) => {
    weight += own
    const end = Math.round((tokens * weight) / whole)
    const share = end - given
    given = end
    return share
  })
}
