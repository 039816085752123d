/** Warnings by code, in a cell. */
export function warningsText(warnings: Readonly<Record<string, number>> = {}): string {
  const counts = Object.entries(warnings).map(([code, count]) => `${code} ${count}`)
  return counts.sort().join(', ') || 'none'
}
