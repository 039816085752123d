import { agrees, hasDictionarySlot, type Measure, sameSlot } from './compare.ts'
import type { Finding } from './finding.ts'
import type { Label } from './labelled/label.ts'

/** A label and the finding that says the same. */
export interface Hit {
  readonly label: Label
  readonly finding: Finding
}

/** What was right and wrong about one message. */
export interface MessageScore {
  readonly hits: readonly Hit[]
  readonly misses: readonly Label[]
  readonly alarms: readonly Finding[]
}

/**
 * Pairs labels and findings, one to one. Optional labels take only what no other label wants, and what they take does not
 * count.
 */
export function scoreMessage(
  labels: readonly Label[],
  findings: readonly Finding[],
  measure: Measure,
): MessageScore {
  const left = new Set(findings)
  const take = (label: Label, test: (finding: Finding) => boolean): Hit[] => {
    const finding = [...left].find((candidate) => agrees(label, candidate, measure) && test(candidate))
    if (finding === undefined) return []
    left.delete(finding)
    return [{ label, finding }]
  }
  const pair = (wanted: readonly Label[]): Hit[] => {
    // A finding in the right slot first, so that a value that stands in two slots is not paired crosswise.
    const exact = wanted.flatMap((label) => take(label, (finding) => sameSlot(label, finding)))
    const found = new Set(exact.map(({ label }) => label))
    return [
      ...exact,
      ...wanted.filter((label) => !found.has(label)).flatMap((label) => take(label, () => true)),
    ]
  }
  const required = labels.filter(({ isOptional }) => isOptional !== true)
  const hits = pair(required)
  pair(labels.filter(({ isOptional }) => isOptional === true))
  const found = new Set(hits.map(({ label }) => label))
  return { hits, misses: required.filter((label) => !found.has(label)), alarms: [...left] }
}

/** Of the hits whose label names a slot of the dictionary: how many are in that slot. */
export function slotAccuracy(hits: readonly Hit[]): { readonly right: number; readonly n: number } {
  const named = hits.filter(({ label }) => hasDictionarySlot(label))
  return { right: named.filter(({ label, finding }) => sameSlot(label, finding)).length, n: named.length }
}
