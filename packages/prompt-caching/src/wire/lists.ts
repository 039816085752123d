/** The value if it is a list; an empty one for anything else, which a host may have put there. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
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
