import type { Entry } from './entry.ts'
import type { EntryList } from './entry-list.ts'
import { SortedList } from './sorted-list.ts'
import type { TouchedFiles } from './touched-files.ts'
import { type Dependants, type QueryMatch, weigh } from './worth.ts'

/** The part of a log that a ranking needs. */
export interface RankedLog extends Dependants {
  readonly entries: EntryList
  /** Ids of the decisions that name a file or a technology. */
  ofEntity(name: string): readonly string[]
}

/** An entry with its worth and its size. */
export interface Ranked {
  readonly entry: Entry
  /** 0 and 1 hold: see `Worth`. */
  readonly tier: number
  /** Worth without a query. */
  readonly value: number
  /** Tokens of its line with its end. */
  readonly cost: number
  /** Worth per token. */
  readonly density: number
  /** Tokens of its identifier with its end, once they were counted. */
  indexCost: number | undefined
}

/**
 * The entries of a log, those first that are worth most for their tokens. It is kept up to date: an update costs what has
 * changed since the last one.
 */
export class Ranking {
  /** Tokens of all lines that hold, and of all others. */
  holdingTokens = 0
  asideTokens = 0
  readonly #reading: RankedLog
  readonly #count: (line: string) => number
  readonly #ranked = new SortedList<Ranked>(byDensity)
  readonly #byEntry = new Map<Entry, Ranked>()
  #files: TouchedFiles | undefined
  readonly #read = { changes: 0, names: 0 }

  /** `count`: tokens of a line with its end. */
  constructor(reading: RankedLog, count: (line: string) => number) {
    this.#reading = reading
    this.#count = count
  }

  update(files: TouchedFiles): void {
    const { entries } = this.#reading
    const touched = this.#changedNames(files).flatMap((name) => this.#reading.ofEntity(name))
    const changed = new Set([
      ...entries.changes.slice(this.#read.changes),
      ...touched.flatMap((id) => entries.of(id) ?? []),
    ])
    this.#read.changes = entries.changes.length
    const removed: Ranked[] = []
    const added: Ranked[] = []
    for (const entry of changed) {
      const before = this.#byEntry.get(entry)
      if (before !== undefined) removed.push(before)
      if (entries.has(entry)) added.push(this.#rank(entry, files, before))
      else this.#byEntry.delete(entry)
    }
    for (const ranked of removed) this.#sum(ranked, -1)
    for (const ranked of added) this.#sum(ranked, 1)
    this.#ranked.change(removed, added)
    for (const ranked of added) this.#byEntry.set(ranked.entry, ranked)
  }

  #rank(entry: Entry, files: TouchedFiles, before: Ranked | undefined): Ranked {
    const { cost = this.#count(entry.l0), indexCost } = before ?? {}
    const { tier, value } = weigh(entry, this.#reading, files)
    return { entry, tier, value, cost, density: value / cost, indexCost }
  }

  /** The worth of an entry as of the last update. */
  of(entry: Entry): Pick<Ranked, 'tier' | 'value'> | undefined {
    return this.#byEntry.get(entry)
  }

  /** All of them in their order, where what matches a query is worth more. */
  inOrder({ matches, worthAt }: QueryMatch): readonly Ranked[] {
    const { entries } = this.#reading
    const raised = new Map<Ranked, Ranked>()
    for (const id of matches.keys()) {
      const entry = entries.of(id)
      const known = entry && this.#byEntry.get(entry)
      if (known === undefined || raised.has(known)) continue
      raised.set(known, { ...known, density: worthAt(known.value, known.entry) / known.cost })
    }
    if (raised.size === 0) return this.#ranked.items
    const first = [...raised.values()].sort(byDensity)
    const order: Ranked[] = []
    let next = 0
    for (const ranked of this.#ranked.items) {
      if (raised.has(ranked)) continue
      for (let each = first[next]; each && byDensity(each, ranked) < 0; each = first[++next]) order.push(each)
      order.push(ranked)
    }
    return order.concat(first.slice(next))
  }

  #sum({ tier, cost }: Ranked, step: number): void {
    if (tier < 2) this.holdingTokens += step * cost
    else this.asideTokens += step * cost
  }

  /** Names of files that were touched since the last update, and of those that are not touched any more. */
  #changedNames(files: TouchedFiles): readonly string[] {
    const before = this.#files
    const { names } = this.#read
    this.#files = files
    this.#read.names = files.changes.length
    // The first update ranks all entries anyway.
    if (before === undefined) return []
    return before === files ? files.changes.slice(names) : [...before.names(), ...files.names()]
  }
}

function byDensity(a: Ranked, b: Ranked): number {
  return a.tier - b.tier || b.density - a.density || a.entry.place - b.entry.place
}
