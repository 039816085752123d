import { findTechnologies } from '../slots/find-technologies.ts'
import { areAlike } from '../slots/slots.ts'
import type { Finding } from './finding.ts'

/** Most characters between "drop Redis" and "Memcached it is" as one thought. */
const MAX_GAP = 80

/**
 * The findings of a turn, with what belongs together as one: something that is dropped directly before another thing takes
 * its place is what that replaces. What is said twice is kept once.
 */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = []
  for (const finding of findings) {
    const last = merged.at(-1)
    if (last !== undefined && isReplacedBy(last, finding))
      merged[merged.length - 1] = { ...finding, replaces: finding.replaces ?? last.value, isChange: true }
    else if (!merged.some((other) => isSame(other, finding))) merged.push(finding)
  }
  return merged
}

function isReplacedBy(old: Finding, next: Finding): boolean {
  if (old.kind !== 'end' || next.kind !== 'choice' || old.value === '' || next.start - old.end > MAX_GAP)
    return false
  const slots = findTechnologies(old.value)[0]?.technology.slots ?? []
  return slots.includes(next.slot) || areAlike(old.slot, next.slot)
}

function isSame(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && a.slot === b.slot && a.area === b.area && a.value === b.value
}
