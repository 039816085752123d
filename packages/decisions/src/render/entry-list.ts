import { CATEGORIES, type Category } from '../log/category.ts'
import { type Decision, isContested, isRemark } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { subjectOf } from '../log/subject.ts'
import { decisionDetail } from './decision-detail.ts'
import { contestedLine, endedLine, holdingLine, proposedLine, remarkLine } from './decision-line.ts'
import type { Entry, Standing } from './entry.ts'
import type { HistoryContext } from './history-notes.ts'

type Get = DecisionSet['get']
type Rivals = readonly [Decision, ...Decision[]]

/** Remarks on subjects on which nothing holds that are shown, the newest. */
const MAX_REMARKS = 6
/** Decisions, and slots, that a place tells apart. */
const PLACES = 2 ** 24

/** The decisions of one subject, or one where a subject takes many: their entries depend on nothing else but what they read. */
interface Unit {
  /** In the order of their first events, without those whose successors are known. */
  members: string[]
  entries: readonly Entry[]
  /** Decisions that the entries were written from. */
  reads: ReadonlySet<string>
}

/**
 * The entries of a log for one reader: decisions that hold, rivals as one entry, what was given up, and proposals. A decision
 * that another one replaced is in the line of its successor only. The order is by category, then by slot as each was
 * first seen, so that a new decision moves no line. The newest remarks stand behind them, the last one first.
 */
export class EntryList {
  /** Entries in the order in which they were made: what came later may have replaced them. */
  readonly made: Entry[] = []
  readonly #session: string
  readonly #units = new Map<string, Unit>()
  /** The units whose entries were written from a decision. */
  readonly #readers = new Map<string, Set<Unit>>()
  readonly #byDecision = new Map<string, Entry>()
  /** Places of decisions and slots in the order in which each was first seen. */
  readonly #decisions = new Map<string, number>()
  readonly #slots = new Map<string, number>()
  readonly #ordered: Entry[] = []
  /** Places of the decisions that are remarks by now, in order, and those that are shown. */
  readonly #said: { readonly id: string; readonly place: number }[] = []
  #remarks: readonly Entry[] = []
  #all: readonly Entry[] | undefined

  /** `session`: the one that reads. */
  constructor(session: string) {
    this.#session = session
  }

  /** All entries in their order. */
  get all(): readonly Entry[] {
    this.#all ??= [...this.#ordered, ...this.#remarks]
    return this.#all
  }

  /** The entry that a decision is in; undefined when only the line of another one names it. */
  of(id: string): Entry | undefined {
    return this.#byDecision.get(id)
  }

  /** True while an entry is one of the list. */
  has(entry: Entry): boolean {
    return this.#byDecision.get(entry.decisions[0].id) === entry
  }

  /** Writes anew what depends on decisions that changed or began. It costs as much as they have subjects, not the whole list. */
  update(changed: readonly Decision[], decisions: Pick<DecisionSet, 'get'>): void {
    const stale = new Set<Unit>()
    for (const decision of changed) {
      stale.add(this.#unitOf(decision))
      for (const reader of this.#readers.get(decision.id) ?? []) stale.add(reader)
      this.#noteRemark(decision)
    }
    const removed: Entry[] = []
    const added: Entry[] = []
    for (const unit of stale) this.#rewrite(unit, decisions, { removed, added })
    this.#reorder(removed, added)
    this.#showRemarks(decisions)
    this.#all = undefined
  }

  #unitOf(decision: Decision): Unit {
    const { id, slot, cardinality } = decision
    const key = cardinality === 'one' ? subjectOf(decision) : id
    const unit = this.#units.get(key) ?? { members: [], entries: [], reads: new Set() }
    this.#units.set(key, unit)
    if (!this.#decisions.has(id)) {
      this.#decisions.set(id, this.#decisions.size)
      if (!this.#slots.has(slot)) this.#slots.set(slot, this.#slots.size)
      unit.members.push(id)
    }
    return unit
  }

  #rewrite(
    unit: Unit,
    { get }: Pick<DecisionSet, 'get'>,
    changes: { removed: Entry[]; added: Entry[] },
  ): void {
    const reads = new Set<string>()
    const reading: Get = (id) => {
      reads.add(id)
      return get(id)
    }
    const members = unit.members.flatMap((id) => get(id) ?? []).filter((each) => !hasSuccessor(each, reading))
    const entries = entriesOf(members, { decisions: { get: reading }, session: this.#session })
    for (const id of unit.reads) if (!reads.has(id)) this.#readers.get(id)?.delete(unit)
    for (const id of reads) {
      const readers = this.#readers.get(id)
      if (readers === undefined) this.#readers.set(id, new Set([unit]))
      else readers.add(unit)
    }
    changes.removed.push(...unit.entries)
    changes.added.push(...entries)
    unit.members = members.map(({ id }) => id)
    unit.entries = entries
    unit.reads = reads
  }

  #reorder(removed: readonly Entry[], added: readonly Entry[]): void {
    const ordered = this.#ordered
    const isBulk = removed.length + added.length > Math.max(16, ordered.length / 8)
    if (isBulk) {
      const gone = new Set(removed)
      const left = ordered.filter((entry) => !gone.has(entry))
      ordered.length = 0
      for (const list of [left, added]) for (const entry of list) ordered.push(entry)
      ordered.sort((a, b) => this.placeOf(a) - this.placeOf(b))
    }
    for (const entry of removed) {
      if (!isBulk) ordered.splice(this.#findPlace(entry), 1)
      for (const { id } of entry.decisions) this.#byDecision.delete(id)
    }
    for (const entry of added) {
      if (!isBulk) ordered.splice(this.#findPlace(entry), 0, entry)
      for (const { id } of entry.decisions) this.#byDecision.set(id, entry)
      this.made.push(entry)
    }
  }

  /** A number that grows along the list. */
  placeOf({ standing, category, decisions: [first] }: Entry): number {
    const place = this.#decisions.get(first.id) ?? 0
    const slot = this.#slots.get(first.slot) ?? 0
    const part = standing === 'remark' ? CATEGORIES.length : CATEGORIES.indexOf(category)
    return standing === 'remark' ? (part + 1) * PLACES ** 2 - place : (part * PLACES + slot) * PLACES + place
  }

  /** The index of the first entry that does not stand before a place. */
  #findPlace(entry: Entry): number {
    return firstFrom(this.#ordered, this.placeOf(entry), (each) => this.placeOf(each))
  }

  #noteRemark(decision: Decision): void {
    const { id, status } = decision
    if (!isRemark(decision)) return
    const place = this.#decisions.get(id) ?? 0
    const index = firstFrom(this.#said, place, (said) => said.place)
    const isThere = this.#said[index]?.id === id
    if ((status === 'proposed') !== isThere)
      this.#said.splice(index, isThere ? 1 : 0, ...(isThere ? [] : [{ id, place }]))
  }

  /** Of the words on one subject, the last ones stand for those before them. */
  #showRemarks({ get }: Pick<DecisionSet, 'get'>): void {
    const shown = new Map<string, Entry>()
    for (let index = this.#said.length - 1; index >= 0 && shown.size < MAX_REMARKS; index--) {
      const decision = get(this.#said[index]?.id ?? '')
      if (decision === undefined || shown.has(subjectOf(decision))) continue
      const known = this.#byDecision.get(decision.id)
      const isKnown = known?.standing === 'remark' && known.decisions[0] === decision
      const entry = isKnown
        ? known
        : entryOf('remark', [decision], [], { decisions: { get }, session: this.#session })
      shown.set(subjectOf(decision), entry)
    }
    const remarks = [...shown.values()]
    for (const entry of this.#remarks)
      if (!remarks.includes(entry) && this.has(entry)) this.#byDecision.delete(entry.decisions[0].id)
    for (const entry of remarks)
      if (!this.#remarks.includes(entry)) {
        this.#byDecision.set(entry.decisions[0].id, entry)
        this.made.push(entry)
      }
    this.#remarks = remarks
  }
}

/** The first index of a sorted list whose value is not below another one. */
function firstFrom<Item>(list: readonly Item[], value: number, read: (item: Item) => number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const item = list[middle]
    if (item !== undefined && read(item) < value) from = middle + 1
    else to = middle
  }
  return from
}

/** The entries of a unit, in the order of its members. */
function entriesOf(members: readonly Decision[], context: HistoryContext): Entry[] {
  const rivals = new Map<string, [Decision, ...Decision[]]>()
  const givenUp: Decision[] = []
  for (const decision of members) {
    if (isInDoubt(decision)) {
      const group = rivals.get(rivalry(decision))
      if (group === undefined) rivals.set(rivalry(decision), [decision])
      else group.push(decision)
    } else if (isOver(decision) && decision.cardinality === 'one') givenUp.push(decision)
  }
  const isHeld = members.some(({ status }) => status === 'active')
  return members.flatMap((decision): Entry[] => {
    const { status, cardinality } = decision
    if (isInDoubt(decision)) {
      const group = rivals.get(rivalry(decision))
      return group?.[0] === decision ? [entryOf('contested', group, [], context)] : []
    }
    if (status === 'active') return [entryOf('holding', [decision], givenUp, context)]
    if (status === 'proposed') return isRemark(decision) ? [] : [entryOf('proposed', [decision], [], context)]
    if (cardinality === 'many') return [entryOf('ended', [decision], [], context)]
    // Of a subject that nothing holds, the last word stands for those before it.
    const isLast = givenUp.at(-1) === decision && !isHeld
    return isLast ? [entryOf('ended', [decision], givenUp.slice(0, -1), context)] : []
  })
}

/** `before`: given up on the same subject before. */
function entryOf(
  standing: Standing,
  of: Rivals,
  before: readonly Decision[],
  context: HistoryContext,
): Entry {
  const { session } = context
  return {
    standing,
    category: categoryOf(of[0]),
    decisions: of,
    l0: lineOf(standing, of, before, context),
    get detail() {
      const detail = standing === 'remark' ? [] : of.map((decision) => decisionDetail(decision, session))
      const value = detail.filter(Boolean).join('\n  ')
      Object.defineProperty(this, 'detail', { value })
      return value
    },
  }
}

function lineOf(
  standing: Standing,
  of: Rivals,
  before: readonly Decision[],
  context: HistoryContext,
): string {
  if (standing === 'contested') return contestedLine(of, context)
  if (standing === 'holding') return holdingLine(of[0], before, context)
  if (standing === 'proposed') return proposedLine(of[0], context)
  return standing === 'ended' ? endedLine(of[0], before, context) : remarkLine(of[0], context)
}

function isInDoubt(decision: Decision): boolean {
  return decision.status === 'active' && isContested(decision)
}

/** Rivals share a line; what only a remark leaves open has its own. */
function rivalry({ id, contestedBy }: Decision): string {
  return contestedBy.length > 0 ? '' : id
}

function isOver({ status }: Decision): boolean {
  return status === 'retracted' || status === 'superseded'
}

/** Whether a decision that was replaced is in the line of another one: its successor may be one that this log does not know. */
function hasSuccessor({ status, supersededBy }: Decision, get: Get): boolean {
  return status === 'superseded' && supersededBy.some(({ id }) => get(id) !== undefined)
}

function categoryOf({ category }: Decision): Category {
  return CATEGORIES.includes(category) ? category : 'decisions'
}
