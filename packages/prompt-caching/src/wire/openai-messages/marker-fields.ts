import { isFields } from '../fields.ts'

/** Markers of all routes: a request that was made for another one is cleaned as well. */
const MARKERS = ['cache_control', 'prompt_cache_breakpoint'] as const

/** The object without markers of its own; the same object when it has none. What is inside of it is not looked at. */
export function withoutMarkers<T>(value: T): T {
  if (!isFields(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const field of MARKERS) {
    if (!Object.hasOwn(value, field)) continue
    copy ??= { ...value }
    delete copy[field]
  }
  return (copy ?? value) as T
}
