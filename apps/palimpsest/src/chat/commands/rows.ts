/** Labels and values, one row a line, the values below each other. */
export function rows(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(0, ...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')
}
