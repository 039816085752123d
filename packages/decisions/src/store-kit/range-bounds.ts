/** The ends of a range of messages, the second one exclusive; what lies outside of a transcript is empty. */
export function rangeBounds({ from = 0, to = Number.MAX_SAFE_INTEGER } = {}): { from: number; to: number } {
  return { from: Math.max(0, from), to: Math.max(0, to) }
}
