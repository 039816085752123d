import { isObject } from '@palimpsest/core'

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

/** The object without these members; the same object when it has none of them. What is inside of it is not looked at. */
export function without<T>(value: T, names: readonly string[]): T {
  if (!isObject(value) || !names.some((name) => Object.hasOwn(value, name))) return value
  const rest: Record<string, unknown> = { ...value }
  for (const name of names) delete rest[name]
  return rest as T
}
