/** An object whose members are not known. */
export type Fields = Readonly<Record<string, unknown>>

/** True for an object that is not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
