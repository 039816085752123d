import { addTo } from '../../verify/check-log.ts'
import { recordNumber } from './madr-file.ts'
import type { DecisionRecord } from './read-record.ts'
import type { Line } from './read-sections.ts'

/** A record that says nothing new, with the decision of the log that it is of: others may link to it. */
export interface ShelvedRecord {
  readonly fileName: string
  readonly decision: string
}

/** One end of a link. */
export type LinkedRecord = DecisionRecord | ShelvedRecord

/** One record takes the place of another. */
export interface Succession {
  readonly old: LinkedRecord
  readonly successor: LinkedRecord
  /** The part that it is about, if only a part. */
  readonly area?: string
  /** The file that says so, and the place. */
  readonly saidBy: DecisionRecord
  readonly line: Line
}

/**
 * The pairs of records of which one takes the other's place, each once. A link to a file that is not there, a record that replaces itself, and records
 * that replace each other in a circle are warned of and do not count.
 *
 * @param shelf Records that links may lead to besides; to one by its number from the same folder only.
 */
export function linkRecords(
  records: readonly DecisionRecord[],
  shelf: readonly ShelvedRecord[] = [],
): {
  readonly successions: readonly Succession[]
  readonly warnings: readonly string[]
} {
  const warnings: string[] = []
  const byName = new Map<string, LinkedRecord>(records.map((record) => [baseName(record.fileName), record]))
  const byNumber = new Map<number, DecisionRecord>()
  for (const record of records)
    if (record.number !== undefined && !byNumber.has(record.number)) byNumber.set(record.number, record)
  const shelved = new Map<string, ShelvedRecord>()
  for (const record of shelf) {
    const name = baseName(record.fileName)
    if (!byName.has(name)) byName.set(name, record)
    const place = placeOf(record.fileName, recordNumber(name))
    if (!shelved.has(place)) shelved.set(place, record)
  }
  const find = ({ fileName }: DecisionRecord, target: string | number): LinkedRecord | undefined =>
    typeof target === 'string'
      ? byName.get(target)
      : (byNumber.get(target) ?? shelved.get(placeOf(fileName, target)))

  const found = new Map<string, Succession>()
  for (const record of records) {
    for (const { kind, target, area, line } of record.links) {
      const other = find(record, target)
      if (other === undefined || other === record) {
        warnings.push(
          `${record.fileName}: ${other === record ? 'replaces itself' : `there is no record ${target} to link to`}`,
        )
        continue
      }
      const isSuccessor = kind === 'supersedes'
      const old = isSuccessor ? other : record
      const successor = isSuccessor ? record : other
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
    const degree = new Map<LinkedRecord, number>()
    const outgoing = new Map<LinkedRecord, Succession[]>()
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

/** A number in a folder. */
function placeOf(fileName: string, number: number | undefined): string {
  return `${fileName.slice(0, fileName.lastIndexOf('/') + 1)} ${number}`
}
