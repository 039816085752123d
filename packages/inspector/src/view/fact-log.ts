import { equalValues } from '@palimpsest/core'

/** Facts of a view with the revision at which each of them changed last. */
export interface FactLog<Facts extends object> {
  /** Takes over what the facts are now. Returns true when one of them changed. */
  update(facts: Partial<Facts>, revision: number): boolean
  /** Those that changed after a revision. */
  since(revision: number): Partial<Facts>
}

export function createFactLog<Facts extends object>(): FactLog<Facts> {
  let values: Partial<Facts> = {}
  const changedAt = new Map<string, number>()
  return {
    update(facts, revision) {
      const known = new Map<string, unknown>(Object.entries(values))
      const changed = Object.entries(facts).filter(
        ([name, value]) => !known.has(name) || !equalValues(known.get(name), value),
      )
      for (const [name] of changed) changedAt.set(name, revision)
      if (changed.length > 0) values = { ...values, ...facts }
      return changed.length > 0
    },
    since(revision) {
      const { ...facts } = values
      for (const [name, at] of changedAt) if (at <= revision) Reflect.deleteProperty(facts, name)
      return facts
    },
  }
}
