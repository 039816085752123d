import { type Decision, type DecisionSet, isContested, isRemark } from '../../src/log/decision.ts'
import { CATEGORIES, type Category } from '../../src/log/decision-event.ts'
import { decisionDetail } from '../../src/render/decision-detail.ts'
import {
  contestedLine,
  endedLine,
  holdingLine,
  proposedLine,
  remarkLine,
} from '../../src/render/decision-line.ts'
import type { Entry, Standing } from '../../src/render/entry.ts'
import type { HistoryContext } from '../../src/render/history-notes.ts'

type Rivals = readonly [Decision, ...Decision[]]

/** Remarks on subjects on which nothing holds that are shown, the newest. */
const MAX_REMARKS = 6

/**
 * The entries of a log: decisions that hold, rivals as one entry, what was given up, and proposals. A decision
 * that another one replaced is in the line of its successor only. The order is by category, then by slot as each was
 * first seen, so that a new decision moves no line. The newest remarks stand behind them, the last one first.
 */
export function collectEntries(decisions: DecisionSet, session: string): readonly Omit<Entry, 'place'>[] {
  const all = decisions.all
  const slots = new Map<string, number>()
  const rivals = new Map<string, [Decision, ...Decision[]]>()
  const givenUp = new Map<string, [Decision, ...Decision[]]>()
  const held = new Set<string>()
  for (const decision of all) {
    const subject = subjectOf(decision)
    if (!slots.has(decision.slot)) slots.set(decision.slot, slots.size)
    if (decision.status === 'active' && decision.cardinality === 'one') held.add(subject)
    if (isInDoubt(decision)) add(rivals, rivalry(decision), decision)
    else if (hasNoSuccessor(decision, decisions) && decision.cardinality === 'one')
      add(givenUp, subject, decision)
  }
  const entry = (standing: Standing, of: Rivals, before: readonly Decision[] = []) =>
    entryOf({ standing, of, before, session }, decisions)
  const entries = all.flatMap((decision) => {
    const subject = subjectOf(decision)
    if (isInDoubt(decision)) {
      const group = rivals.get(rivalry(decision))
      return group?.[0] === decision ? [entry('contested', group)] : []
    }
    const before = givenUp.get(subject) ?? []
    if (decision.status === 'active') {
      const earlier = decision.cardinality === 'one' ? before : []
      return [entry('holding', [decision], earlier)]
    }
    if (decision.status === 'proposed' && isRemark(decision)) return []
    if (decision.status === 'proposed') return [entry('proposed', [decision])]
    if (!hasNoSuccessor(decision, decisions)) return []
    if (decision.cardinality === 'many') return [entry('ended', [decision])]
    // Of a subject that nothing holds, the last word stands for those before it.
    const isLast = before.at(-1) === decision && !held.has(subject)
    return isLast ? [entry('ended', [decision], before.slice(0, -1))] : []
  })
  const rank = ({ category, decisions: [first] }: Omit<Entry, 'place'>) =>
    CATEGORIES.indexOf(category) * (slots.size + 1) + (slots.get(first.slot) ?? 0)
  // Of the words on one subject, the last ones stand for those before them.
  const said = all.filter((decision) => decision.status === 'proposed' && isRemark(decision))
  const last = new Map(said.map((decision) => [subjectOf(decision), decision]))
  const remarks = said
    .filter((decision) => last.get(subjectOf(decision)) === decision)
    .slice(-MAX_REMARKS)
    .map((decision) => entry('remark', [decision]))
  const ordered = entries
    .map((each) => ({ each, place: rank(each) }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each)
  return [...ordered, ...remarks.reverse()]
}

/** The parts of an entry. */
interface Parts {
  readonly standing: Standing
  readonly of: Rivals
  /** Given up on the same subject before. */
  readonly before: readonly Decision[]
  readonly session: string
}

function entryOf({ standing, of, before, session }: Parts, decisions: DecisionSet): Omit<Entry, 'place'> {
  const detail = standing === 'remark' ? [] : of.map((decision) => decisionDetail(decision, session))
  return {
    standing,
    category: categoryOf(of[0]),
    decisions: of,
    l0: lineOf({ standing, of, before, session }, { decisions, session }),
    detail: detail.filter(Boolean).join('\n  '),
  }
}

function lineOf({ standing, of, before }: Parts, context: HistoryContext): string {
  if (standing === 'contested') return contestedLine(of, context)
  if (standing === 'holding') return holdingLine(of[0], before, context)
  if (standing === 'proposed') return proposedLine(of[0], context)
  return standing === 'ended' ? endedLine(of[0], before, context) : remarkLine(of[0], context)
}

/** A subject: only one decision can hold for it. */
function subjectOf({ scope, slot, area }: Decision): string {
  return `${scope}\n${slot}\n${area}`
}

function isInDoubt(decision: Decision): boolean {
  return decision.status === 'active' && isContested(decision)
}

/** Rivals share a line; what only a remark leaves open has its own. */
function rivalry(decision: Decision): string {
  return decision.contestedBy.length > 0 ? subjectOf(decision) : decision.id
}

/** Retracted, or replaced by something that this log does not know. */
function hasNoSuccessor({ status, supersededBy }: Decision, decisions: DecisionSet): boolean {
  if (status === 'retracted') return true
  return status === 'superseded' && !supersededBy.some(({ id }) => decisions.get(id) !== undefined)
}

function categoryOf({ category }: Decision): Category {
  return CATEGORIES.includes(category) ? category : 'decisions'
}

function add(groups: Map<string, [Decision, ...Decision[]]>, key: string, decision: Decision): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [decision])
  else group.push(decision)
}
