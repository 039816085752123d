/**
 * A function of texts that remembers its last results: readers of a text ask for the same one again.
 *
 * @param most results that are kept; then all are forgotten.
 * @param longest characters of a text whose result is kept. Default: any.
 */
export function remembered<Result extends {}>(
  compute: (text: string) => Result,
  most: number,
  longest = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const last = known.get(text)
    if (last !== undefined) return last
    const result = compute(text)
    if (known.size >= most) known.clear()
    if (text.length <= longest) known.set(text, result)
    return result
  }
}
