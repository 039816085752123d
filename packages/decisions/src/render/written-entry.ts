import { type Decision, isContested, isRemark } from '../log/decision.ts'
import { CATEGORIES, type Category } from '../log/decision-event.ts'
import { decisionDetail } from './decision-detail.ts'
import { contestedLine, endedLine, holdingLine, proposedLine, remarkLine } from './decision-line.ts'
import type { Entry, Standing } from './entry.ts'
import type { HistoryContext } from './history-notes.ts'

type PlaceOf = (standing: Standing, first: Decision) => number

/** The entries of a unit, in the order of its members. */
export function entriesOf(members: readonly Decision[], context: HistoryContext, placeOf: PlaceOf): Entry[] {
  const entry = (standing: Standing, of: Entry['decisions'], before: readonly Decision[] = []) =>
    new WrittenEntry(standing, of, before, { place: placeOf(standing, of[0]), context })
  // Most subjects have one decision, which holds.
  const only = members.length === 1 ? members[0] : undefined
  if (only?.status === 'active' && !isContested(only)) return [entry('holding', [only])]
  // Rivals share a line; what only a remark leaves open has its own.
  const [first, ...others] = members.filter((each) => isInDoubt(each) && each.contestedBy.length > 0)
  const givenUp = members.filter((each) => isOver(each) && each.cardinality === 'one')
  const isHeldNow = members.some(({ status }) => status === 'active')
  const entries: Entry[] = []
  for (const decision of members) {
    const { status, cardinality } = decision
    if (decision === first) entries.push(entry('contested', [first, ...others]))
    else if (isInDoubt(decision)) {
      if (decision.contestedBy.length === 0) entries.push(entry('contested', [decision]))
    } else if (status === 'active') entries.push(entry('holding', [decision], givenUp))
    else if (status === 'proposed') {
      if (!isRemark(decision)) entries.push(entry('proposed', [decision]))
    } else if (cardinality === 'many') entries.push(entry('ended', [decision]))
    // Of a subject that nothing holds, the last word stands for those before it.
    else if (givenUp.at(-1) === decision && !isHeldNow)
      entries.push(entry('ended', [decision], givenUp.slice(0, -1)))
  }
  // An array that was filled step by step has room for more; a copy has none.
  return entries.slice()
}

/** An object with a getter of its own takes five times the memory of one of a class. */
export class WrittenEntry implements Entry {
  readonly standing: Standing
  readonly place: number
  readonly category: Category
  readonly decisions: Entry['decisions']
  readonly l0: string
  readonly #session: string
  #detail: string | undefined

  /** `before`: given up on the same subject before. */
  constructor(
    standing: Standing,
    of: Entry['decisions'],
    before: readonly Decision[],
    { place, context }: { readonly place: number; readonly context: HistoryContext },
  ) {
    this.standing = standing
    this.place = place
    this.category = categoryOf(of[0])
    this.decisions = of
    this.l0 = lineOf(standing, of, before, context)
    this.#session = context.session
  }

  get detail(): string {
    this.#detail ??=
      this.standing === 'remark'
        ? ''
        : this.decisions
            .map((decision) => decisionDetail(decision, this.#session))
            .filter(Boolean)
            .join('\n  ')
    return this.#detail
  }
}

function lineOf(
  standing: Standing,
  of: Entry['decisions'],
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

function isOver({ status }: Decision): boolean {
  return status === 'retracted' || status === 'superseded'
}

export function categoryOf({ category }: Decision): Category {
  return CATEGORIES.includes(category) ? category : 'decisions'
}
