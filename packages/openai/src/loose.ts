/** An object of which nothing is certain: what a server sent. */
export type Loose = Readonly<Record<string, unknown>>

/** True for a plain object or anything else that has members; not for arrays. */
export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is a text, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
