import { addTo } from '../../verify/add-to.ts'
import type { DecisionRecord } from './read-record.ts'
import type { Line } from './read-sections.ts'

/** One record takes the place of another. */
export interface Succession {
  readonly old: DecisionRecord
  readonly successor: DecisionRecord
  /** The part that it is about, if only a part. */
  readonly area?: string
  /** Who says so, and where. */
  readonly saidBy: DecisionRecord
  readonly line: Line
}

/**
 * Who takes whose place, each pair once. A link to a file that is not there, a record that replaces itself, and records
 * that replace each other in a circle are warned of and do not count.
 */
export function linkRecords(records: readonly DecisionRecord[]): {
  readonly successions: readonly Succession[]
  readonly warnings: readonly string[]
} {
  const warnings: string[] = []
  const byName = new Map(records.map((record) => [baseName(record.fileName), record]))
  const byNumber = new Map<number, DecisionRecord>()
  for (const record of records)
    if (record.number !== undefined && !byNumber.has(record.number)) byNumber.set(record.number, record)

  const found = new Map<string, Succession>()
  for (const record of records) {
    for (const { kind, target, area, line } of record.links) {
      const other = typeof target === 'number' ? byNumber.get(target) : byName.get(target)
      if (other === undefined || other === record) {
        warnings.push(
          `${record.fileName}: ${other === record ? 'replaces itself' : `there is no record ${target} to link to`}`,
        )
        continue
      }
      const [old, successor] = kind === 'supersedes' ? [other, record] : [record, other]
      const key = JSON.stringify([old.fileName, successor.fileName, area])
      if (!found.has(key))
        found.set(key, { old, successor, saidBy: record, line, ...(area !== undefined && { area }) })
    }
  }
  const all = [...found.values()]
  const circular = inCircles(all)
  for (const { old, successor } of circular)
    warnings.push(
      `${old.fileName} and ${successor.fileName} replace each other, in the end: that does not count`,
    )
  return { successions: all.filter((succession) => !circular.has(succession)), warnings }
}

/** The links that lie on a circle: what is left when records without predecessors or successors are taken away. */
function inCircles(successions: readonly Succession[]): ReadonlySet<Succession> {
  const left = new Set(successions)
  const trim = (end: 'old' | 'successor', start: 'old' | 'successor') => {
    const degree = new Map<DecisionRecord, number>()
    const outgoing = new Map<DecisionRecord, Succession[]>()
    for (const link of left) {
      degree.set(link[end], (degree.get(link[end]) ?? 0) + 1)
      addTo(outgoing, link[start], link)
    }
    const free = [...outgoing.keys()].filter((record) => !degree.has(record))
    for (let record = free.pop(); record !== undefined; record = free.pop()) {
      for (const link of outgoing.get(record) ?? []) {
        left.delete(link)
        const rest = (degree.get(link[end]) ?? 0) - 1
        degree.set(link[end], rest)
        if (rest === 0) free.push(link[end])
      }
    }
  }
  trim('successor', 'old')
  trim('old', 'successor')
  return left
}

function baseName(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('/') + 1)
}
