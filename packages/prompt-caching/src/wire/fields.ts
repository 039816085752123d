/** An object whose members are not known. */
export type Fields = Readonly<Record<string, unknown>>

/** The value if it is a list; an empty one for anything else, which a host may have put there. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
}

/** True for an object that is not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
