import type { DecisionSet } from '../log/decision-set.ts'

/**
 * Remembers what is made of a log for one reader until something is appended to it: each request renders, and most find the
 * log as the last one did. A set of decisions that does not show its events is read every time.
 *
 * @param make gets what it made last for this log and reader, so that it can go on from there.
 */
export function memoOfLog<Value>(
  make: (decisions: DecisionSet, reader: string, last: Value | undefined) => Value,
): (decisions: DecisionSet, reader?: string) => Value {
  const known = new WeakMap<
    DecisionSet,
    { readonly length: number; readonly reader: string; readonly value: Value }
  >()
  return (decisions, reader = '') => {
    if (!('events' in decisions) || !Array.isArray(decisions.events))
      return make(decisions, reader, undefined)
    const { length } = decisions.events
    const last = known.get(decisions)
    if (last?.length === length && last.reader === reader) return last.value
    const value = make(decisions, reader, last?.reader === reader ? last.value : undefined)
    known.set(decisions, { length, reader, value })
    return value
  }
}
