/** An object of which nothing is certain: what a server sent, or what a transcript holds. */
export type Loose = Readonly<Record<string, unknown>>

/** True for a plain object or anything else that has members; not for lists. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; none for what is no object. */
export function looseOf(value: unknown): Loose {
  return isObject(value) ? value : {}
}
