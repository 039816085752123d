import { type Decision, type DecisionSet, isRemark } from '../log/decision.ts'
import { CATEGORIES } from '../log/decision-event.ts'
import { subjectOf } from '../log/normal-text.ts'
import { type Entry, type Section, type Standing, sectionOf } from './entry.ts'
import { SortedList } from './sorted-list.ts'
import { categoryOf, entriesOf, WrittenEntry } from './written-entry.ts'

type Get = DecisionSet['get']

/** Remarks on subjects on which nothing holds that are shown, the newest. */
const MAX_REMARKS = 6
/** Decisions, and slots, that a place tells apart. */
const PLACES = 2 ** 24

/** The decisions of one subject, or one where a subject takes many: their entries depend on nothing else but what they read. */
interface Unit {
  /** In the order of their first events, without those whose successors are known. */
  members: string[]
  entries: readonly Entry[]
  /** Other decisions that the entries were written from. */
  reads: readonly string[]
  /** The update that wrote the entries last. */
  version: number
}

/** A decision as the list knows it. */
interface Known {
  /** Places of the decision and its slot in the order in which each was first seen. */
  readonly place: number
  readonly slot: number
  readonly unit: Unit
  /** The entry that it is in. */
  entry: Entry | undefined
}

const NONE: readonly never[] = []

/**
 * The entries of a log for one reader: decisions that hold, rivals as one entry, what was given up, and proposals. A decision
 * that another one replaced is in the line of its successor only. The order is by category, then by slot as each was
 * first seen, so that a new decision moves no line. The newest remarks stand behind them, the last one first.
 */
export class EntryList {
  /** Entries in the order in which they came, went or changed their worth: a reader reads on from where it was. */
  readonly changes: Entry[] = []
  /** Number of updates. */
  version = 0
  readonly #session: string
  readonly #known = new Map<string, Known>()
  /** The units of subjects that take one decision. */
  readonly #units = new Map<string, Unit>()
  /** The units whose entries were written from a decision. */
  readonly #readers = new Map<string, Set<Unit>>()
  readonly #slots = new Map<string, number>()
  readonly #ordered = new SortedList<Entry>((a, b) => a.place - b.place)
  /** Places of the decisions that are remarks by now. */
  readonly #said = new SortedList<number>((a, b) => a - b)
  readonly #ids: string[] = []
  /** The remarks that are shown. */
  #remarks: readonly Entry[] = []
  /** Decisions by standing, and entries by section. */
  readonly #counts = new Map<Standing | Section, number>()
  /** Between which versions a decision held, of those for which that has changed since the first. */
  readonly #held = new Map<string, { readonly from: number; readonly to: number }>()
  #all: readonly Entry[] | undefined

  /** `session`: the one that reads. */
  constructor(session: string) {
    this.#session = session
  }

  /** All entries in their order. */
  get all(): readonly Entry[] {
    this.#all ??= [...this.#ordered.items, ...this.#remarks]
    return this.#all
  }

  /** The remarks that are shown, the newest first. */
  get remarks(): readonly Entry[] {
    return this.#remarks
  }

  /** The entry that a decision is in; undefined when only the line of another one names it. */
  of(id: string): Entry | undefined {
    return this.#known.get(id)?.entry
  }

  /** True for a decision of the log, also for one that has no entry. */
  knows(id: string): boolean {
    return this.#known.has(id)
  }

  /** True while an entry is one of the list. */
  has(entry: Entry): boolean {
    return this.of(entry.decisions[0].id) === entry
  }

  /** Number of the decisions with a standing, or of the entries of a section. */
  count(of: Standing | Section): number {
    return this.#counts.get(of) ?? 0
  }

  /** True for a decision that held, contested or not, at a version of the list. */
  heldAt(id: string, version: number): boolean {
    const { from, to } = this.#held.get(id) ?? { from: 0, to: isHeld(this.of(id)) ? version : -1 }
    return from <= version && version <= to
  }

  /**
   * Writes anew what depends on decisions that changed or began. It costs as much as their subjects have, not the whole list.
   *
   * @param rested Ids of decisions for which the number of those that rest on them has changed.
   */
  update(changed: readonly Decision[], rested: Iterable<string>, decisions: Pick<DecisionSet, 'get'>): void {
    this.version++
    const stale: Unit[] = []
    const note = (unit: Unit): void => {
      if (unit.version < this.version) stale.push(unit)
      unit.version = this.version
    }
    for (const decision of changed) {
      note(this.#unitOf(decision))
      this.#readers.get(decision.id)?.forEach(note)
      if (isRemark(decision)) this.#noteRemark(decision)
    }
    const removed: Entry[] = []
    const added: Entry[] = []
    const reader = noting(decisions, this.#session)
    for (const unit of stale) {
      for (const entry of unit.entries) removed.push(entry)
      this.#rewrite(unit, reader)
      for (const entry of unit.entries) added.push(entry)
    }
    this.#ordered.change(removed, added)
    this.#replace(removed, added)
    this.#showRemarks(decisions)
    for (const id of rested) {
      const entry = this.of(id)
      if (entry !== undefined) this.changes.push(entry)
    }
    this.#all = undefined
  }

  #unitOf(decision: Decision): Unit {
    const { id, slot, cardinality } = decision
    const known = this.#known.get(id)
    if (known !== undefined) return known.unit
    const subject = cardinality === 'one' ? subjectOf(decision) : undefined
    const shared = subject === undefined ? undefined : this.#units.get(subject)
    const unit = shared ?? { members: [id], entries: NONE, reads: NONE, version: 0 }
    if (shared !== undefined) shared.members.push(id)
    else if (subject !== undefined) this.#units.set(subject, unit)
    const slotPlace = this.#slots.get(slot) ?? this.#slots.size
    this.#slots.set(slot, slotPlace)
    this.#known.set(id, { place: this.#ids.push(id) - 1, slot: slotPlace, unit, entry: undefined })
    return unit
  }

  #rewrite(unit: Unit, { get, context, takeReads }: ReturnType<typeof noting>): void {
    const members: Decision[] = []
    for (const id of unit.members) {
      const member = get(id)
      if (member !== undefined && !hasSuccessor(member, context.decisions.get)) members.push(member)
    }
    unit.entries = entriesOf(members, context, this.#placeOf)
    const reads = takeReads()
    for (const id of unit.reads) this.#readers.get(id)?.delete(unit)
    for (const id of reads) {
      const readers = this.#readers.get(id)
      if (readers === undefined) this.#readers.set(id, new Set([unit]))
      else readers.add(unit)
    }
    if (members.length < unit.members.length) unit.members = members.map(({ id }) => id)
    unit.reads = reads
  }

  #replace(removed: readonly Entry[], added: readonly Entry[]): void {
    for (const entry of removed) {
      this.#tally(entry, -1)
      this.changes.push(entry)
      for (const { id } of entry.decisions) {
        const known = this.#known.get(id)
        if (known?.entry === entry) known.entry = undefined
      }
    }
    for (const entry of added) {
      this.#tally(entry, 1)
      this.changes.push(entry)
      for (const { id } of entry.decisions) {
        const known = this.#known.get(id)
        if (known !== undefined) known.entry = entry
      }
    }
    if (this.version > 1) this.#noteHeld(idsHeldIn(removed), idsHeldIn(added))
  }

  #noteHeld(before: ReadonlySet<string>, now: ReadonlySet<string>): void {
    for (const id of now)
      if (!before.has(id)) this.#held.set(id, { from: this.version, to: Number.POSITIVE_INFINITY })
    for (const id of before)
      if (!now.has(id)) this.#held.set(id, { from: this.#held.get(id)?.from ?? 0, to: this.version - 1 })
  }

  #tally(entry: Entry, step: number): void {
    const add = (key: Standing | Section, count: number) => this.#counts.set(key, this.count(key) + count)
    add(entry.standing, step * entry.decisions.length)
    add(sectionOf(entry), step)
  }

  readonly #placeOf = (standing: Standing, first: Decision): number => {
    const { place = 0, slot = 0 } = this.#known.get(first.id) ?? {}
    // Remarks stand behind all others, the last one first.
    if (standing === 'remark') return (CATEGORIES.length + 1) * PLACES ** 2 - place
    return (CATEGORIES.indexOf(categoryOf(first)) * PLACES + slot) * PLACES + place
  }

  #noteRemark(decision: Decision): void {
    const place = this.#known.get(decision.id)?.place ?? 0
    this.#said.change([place], decision.status === 'proposed' ? [place] : [])
  }

  /** Of the words on one subject, the last ones stand for those before them. */
  #showRemarks({ get }: Pick<DecisionSet, 'get'>): void {
    const shown = new Map<string, Entry>()
    const said = this.#said.items
    for (let index = said.length - 1; index >= 0 && shown.size < MAX_REMARKS; index--) {
      const decision = get(this.#ids[said[index] ?? -1] ?? '')
      if (decision === undefined || shown.has(subjectOf(decision))) continue
      const known = this.#remarks.find(({ decisions }) => decisions[0] === decision)
      const context = { decisions: { get }, session: this.#session }
      const place = this.#placeOf('remark', decision)
      shown.set(subjectOf(decision), known ?? new WrittenEntry('remark', [decision], [], { place, context }))
    }
    const [before, now] = [this.#remarks, [...shown.values()]]
    this.#remarks = now
    this.#replace(
      before.filter((entry) => !now.includes(entry)),
      now.filter((entry) => !before.includes(entry)),
    )
  }
}

/** True for an entry of decisions that are active, contested or not. */
export function isHeld(entry: Entry | undefined): boolean {
  return entry?.standing === 'holding' || entry?.standing === 'contested'
}

/** Notes which decisions are read for entries. */
function noting({ get }: Pick<DecisionSet, 'get'>, session: string) {
  const reads: string[] = []
  const reading: Get = (id) => {
    reads.push(id)
    return get(id)
  }
  const takeReads = (): readonly string[] => (reads.length === 0 ? NONE : reads.splice(0))
  return { get, context: { decisions: { get: reading }, session }, takeReads }
}

function idsHeldIn(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.filter(isHeld).flatMap(({ decisions }) => decisions.map(({ id }) => id)))
}

/** Whether a decision that was replaced is in the line of another one: its successor may be one that this log does not know. */
function hasSuccessor({ status, supersededBy }: Decision, get: Get): boolean {
  return status === 'superseded' && supersededBy.some(({ id }) => get(id) !== undefined)
}
