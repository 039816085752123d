import type { FileOperation } from '../tools/file-touch.ts'
import { type Item, turnMark } from './item.ts'
import { runStatus } from './run-status.ts'
import type { Run } from './walk-messages.ts'

type Counted = Exclude<FileOperation, 'searched'>

interface Entry {
  path: string
  readonly counts: Partial<Record<Counted, number>>
  last: Counted
  turn: number
  /** What an earlier summary said about the file, when it was not written by this package. */
  note: string
  /** Order of the last touch. */
  order: number
}

const OPERATIONS: readonly Counted[] = ['created', 'edited', 'deleted', 'read']
const LINE =
  /^(.{1,400}?) \(((?:(?:created|edited|deleted|read) \d+(?:, )?){1,4}); last (created|edited|deleted|read)(?: t(\d+))?\)(?:: (.*))?$/

/** Merges the files of an earlier summary with those that runs touched, most recently touched last. */
export function fileItems(runs: readonly Run[], previous: readonly Item[]): Item[] {
  const ledger = new Map<string, Entry>()
  const kept: Item[] = []
  let order = 0
  for (const item of previous) {
    const entry = parseEntry(item)
    if (entry === undefined || ledger.has(entry.path)) kept.push(item)
    else ledger.set(entry.path, { ...entry, order: order++ })
  }
  for (const run of runs) {
    if (runStatus(run) === 'failed') continue
    for (const { path: raw, operation } of run.call.files) {
      if (operation === 'searched') continue
      const path = raw.replace(/^\.\//, '')
      if (path === '') continue
      const entry = ledger.get(path) ?? {
        path,
        counts: {},
        last: operation,
        turn: run.turn,
        note: '',
        order: 0,
      }
      entry.counts[operation] = (entry.counts[operation] ?? 0) + 1
      // Reading a file again says less than what was done to it in the same turn.
      if (operation !== 'read' || entry.turn !== run.turn) entry.last = operation
      entry.turn = run.turn
      entry.order = order++
      ledger.set(path, entry)
    }
  }
  unifyPaths(ledger)
  const entries = [...ledger.values()].sort((a, b) => a.order - b.order)
  return [...kept, ...entries.map(toItem)]
}

/** `/home/me/app/src/a.ts` and `src/a.ts` are one file: the form that was used more often stands for both. */
function unifyPaths(ledger: Map<string, Entry>): void {
  const byName = new Map<string, Entry[]>()
  for (const entry of ledger.values()) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    const group = byName.get(name)
    if (group === undefined) byName.set(name, [entry])
    else if (group.length < 16) group.push(entry)
  }
  for (const group of byName.values())
    for (const long of group)
      for (const short of group) {
        if (long === short || !long.path.endsWith(`/${short.path}`) || !ledger.has(short.path)) continue
        const [into, from] = total(long) >= total(short) ? [long, short] : [short, long]
        for (const operation of OPERATIONS) {
          const count = (into.counts[operation] ?? 0) + (from.counts[operation] ?? 0)
          if (count > 0) into.counts[operation] = count
        }
        if (from.order > into.order) {
          if (from.last !== 'read' || from.turn !== into.turn) into.last = from.last
          into.turn = from.turn
          into.order = from.order
        }
        into.note ||= from.note
        ledger.delete(from.path)
      }
}

function total(entry: Entry): number {
  return OPERATIONS.reduce((sum, operation) => sum + (entry.counts[operation] ?? 0), 0)
}

function parseEntry({ text, turn }: Item): Entry | undefined {
  const own = LINE.exec(text)
  if (own !== null) {
    const [, path = '', list = '', last = 'read', lastTurn, note = ''] = own
    const counts: Entry['counts'] = {}
    for (const [, operation = '', count = ''] of list.matchAll(/(created|edited|deleted|read) (\d+)/g))
      counts[operation as Counted] = Number(count)
    return { path, counts, last: last as Counted, turn: Number(lastTurn ?? -1), note, order: 0 }
  }
  // "`src/a.ts`: what a model wrote about it"
  const [, path = '', note = ''] =
    /^[*`]{0,3}([^\s`*:]{2,300}\.\w{1,12})[*`]{0,3}\s*(?:[-–—:]+\s*(.*))?$/.exec(text) ?? []
  return path === '' ? undefined : { path, counts: {}, last: 'read', turn, note, order: 0 }
}

function toItem(entry: Entry): Item {
  const counts = OPERATIONS.filter((operation) => (entry.counts[operation] ?? 0) > 0)
  const list = counts.map((operation) => `${operation} ${entry.counts[operation]}`).join(', ')
  const state =
    list === ''
      ? ''
      : ` (${list}; last ${entry.last}${entry.turn < 1 ? '' : ` ${turnMark(entry.turn).trim()}`})`
  const note = entry.note === '' ? '' : `: ${entry.note}`
  const changed = (entry.counts.edited ?? 0) + (entry.counts.created ?? 0) + (entry.counts.deleted ?? 0)
  const weight = Math.min(
    1,
    (changed > 0 ? 0.6 : 0.25) + 0.08 * Math.min(5, total(entry)) + (note === '' ? 0 : 0.2),
  )
  return { slot: 'Relevant Files', text: `${entry.path}${state}${note}`, turn: entry.turn, weight }
}
