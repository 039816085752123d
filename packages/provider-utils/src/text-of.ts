/** The value if it is a text, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
