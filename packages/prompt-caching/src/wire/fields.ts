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

/** `list.map`, but the list itself when no entry became another one. */
export function mapShared<T>(list: readonly T[], change: (entry: T) => T): readonly T[] {
  let copy: T[] | undefined
  for (let index = 0; index < list.length; index++) {
    const entry = list[index] as T
    const changed = change(entry)
    if (changed === entry) continue
    copy ??= list.slice()
    copy[index] = changed
  }
  return copy ?? list
}
