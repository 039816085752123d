import type { Decision, SupersededLink } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { choiceText } from '../render/decision-label.ts'
import { lineText } from '../render/line-text.ts'
import { decidingSource } from '../render/provenance.ts'

const TEXT_TOKENS = 40
/** Links that are followed in each direction. */
const MAX_LINKS = 50

/** The decisions before and after one in its chain, from the first value to the last, each with the reason for its end. */
export function decisionChain(decision: Decision, decisions: DecisionSet) {
  const members = new Map<string, Decision>()
  follow(decision, (each) => each.supersedes, decisions, members)
  const before = [...members.values()].reverse()
  members.clear()
  follow(decision, (each) => each.supersededBy, decisions, members)
  const after = [...members.values()].slice(1)
  return [...before, ...after].flatMap((each) => linksOf(each))
}

function follow(
  start: Decision,
  next: (decision: Decision) => readonly SupersededLink[],
  decisions: DecisionSet,
  seen: Map<string, Decision>,
): void {
  const waiting = [start]
  for (
    let decision = waiting.pop();
    decision !== undefined && seen.size < MAX_LINKS;
    decision = waiting.pop()
  ) {
    if (seen.has(decision.id)) continue
    seen.set(decision.id, decision)
    for (const { id } of next(decision)) {
      const other = decisions.get(id)
      if (other !== undefined) waiting.push(other)
    }
  }
}

/** A value with each of its ends; one that still holds has none, or ends in parts only. */
function linksOf(decision: Decision) {
  const { id, status, supersededBy, ended } = decision
  const facts = { id, choice: choiceText(decision), status, turn: decidingSource(decision)?.turn ?? null }
  if (supersededBy.length === 0)
    return [
      { ...facts, ...(ended !== undefined && { until_turn: ended.source.turn, ...because(ended.reason) }) },
    ]
  return supersededBy.slice(-MAX_LINKS).map(({ id: by, area, source, reason }) => ({
    ...facts,
    superseded_by: by,
    ...(area !== undefined && { in_part: lineText(area, TEXT_TOKENS) }),
    until_turn: source.turn,
    ...because(reason),
  }))
}

function because(reason: string | undefined) {
  return reason === undefined ? {} : { reason: lineText(reason, TEXT_TOKENS) }
}
