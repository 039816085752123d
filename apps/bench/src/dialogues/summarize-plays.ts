import type { Arm } from '../arms/arm.ts'
import { type Estimate, estimateDifference, estimateMean, type Sum } from '../bootstrap.ts'
import type { ArmSummary } from './arm-summary.ts'
import type { ItemKind } from './dialogue.ts'
import type { ItemResult, Played } from './played.ts'
import { scoreAbstention, scoreContradictions, scoreNeedles, scoreTrail } from './score-plays.ts'
import { foundWithin, meanOver, searchTokens, shareByTool, sum, toolsOf } from './sums.ts'

/** What the report shows. */
export type { ArmSummary } from './arm-summary.ts'

/** The plays of one arm at one budget, and those of the bounds on the same dialogues. */
export interface ArmPlays {
  readonly arm: Arm
  readonly budget: number
  readonly plays: readonly Played[]
  readonly bounds: Readonly<Record<'empty' | 'full' | 'truncate', readonly Played[]>>
}

/** Means over the dialogues. */
export function summarizePlays({ arm, budget, plays, bounds }: ArmPlays): ArmSummary {
  const mean = (values: (play: Played) => readonly number[]) => meanOver(plays, values)
  const ofKind = (kind: ItemKind) =>
    mean((play) => shown(itemsOf(play).filter(({ item }) => item.kind === kind)))
  const items = plays.flatMap(itemsOf)
  const tools = toolsOf(items)
  const byTool = (of: (tool: string) => Estimate | null) =>
    Object.fromEntries(tools.map((tool) => [tool, of(tool)]))
  const wasWrong = (play: Played) => itemsOf(play).filter(({ isStale }) => isStale !== null)
  const sizes = plays.flatMap(({ tokens }) => tokens)
  const asked = plays.flatMap(({ probes }) => probes)
  const shownItems = items.filter(({ isShown }) => isShown)
  return {
    arm: arm.name,
    kind: arm.kind,
    budget,
    itemRecall: mean((play) => shown(itemsOf(play))),
    recallByKind: {
      setting: ofKind('setting'),
      technology: ofKind('technology'),
      'special case': ofKind('special case'),
      rule: ofKind('rule'),
      parameter: ofKind('parameter'),
      place: ofKind('place'),
    },
    gain: estimateDifference(plays.map(shownOf), bounds.truncate.map(shownOf)),
    normalized: normalize(plays, bounds),
    earlyRecall: mean((play) => shown(itemsOf(play).filter(({ isEarly }) => isEarly))),
    topicRecall: mean(({ probes }) => probes.map(({ names }) => names.found / names.n)),
    staleExposure: mean((play) => wasWrong(play).map(({ isStale }) => Number(isStale))),
    misled: mean((play) =>
      wasWrong(play).map(({ isStale, isShown }) => Number(isStale === true && !isShown)),
    ),
    updateAccuracy: mean((play) => wasWrong(play).map(({ isCurrent }) => Number(isCurrent))),
    contradictions: scoreContradictions(plays),
    trail: scoreTrail(plays),
    abstention: scoreAbstention(plays),
    needles: scoreNeedles(plays),
    reached: shareByTool(plays, itemsOf, foundWithin(1)),
    reachedAt3: shareByTool(plays, itemsOf, foundWithin(3)),
    searchTokens: byTool((tool) => mean((play) => searchTokens(itemsOf(play), tool))),
    tokens: mean(({ probes }) => probes.map((probe) => probe.tokens)),
    toolTokens: mean(({ probes }) => probes.map((probe) => probe.toolTokens)),
    tokensPerFact:
      shownItems.length === 0
        ? null
        : asked.reduce((total, { tokens }) => total + tokens, 0) / shownItems.length,
    position: tenths(shownItems),
    stability: mean(({ stability }) => stability),
    overBudget: { count: sizes.filter((size) => size > budget).length, n: sizes.length },
    compactions: plays.reduce((total, { compactions }) => total + compactions, 0),
    warnings: addUp(plays.map(({ warnings }) => warnings)),
  }
}

const itemsOf = ({ probes }: Played): ItemResult[] => probes.flatMap(({ items }) => items)
const shown = (items: readonly ItemResult[]): number[] => items.map(({ isShown }) => Number(isShown))
const shownOf = (play: Played): Sum => sum(shown(itemsOf(play)))

/**
 * Every arm is asked the same, so that the normalised mean is a quotient of sums: what the arm shows beyond `empty`, of what
 * `full` shows beyond it. A dialogue weighs as much as it has to show.
 */
function normalize(plays: readonly Played[], { empty, full }: ArmPlays['bounds']): Estimate | null {
  const beyondEmpty = (of: readonly Played[], index: number): number =>
    (of[index] === undefined ? 0 : shownOf(of[index]).sum) -
    (empty[index] === undefined ? 0 : shownOf(empty[index]).sum)
  const estimate = estimateMean(
    plays.map((_, index) => ({ sum: beyondEmpty(plays, index), n: beyondEmpty(full, index) })),
  )
  return estimate && { ...estimate, n: plays.reduce((n, play) => n + shownOf(play).n, 0) }
}

/** Shares of the items in tenths of the prompt. */
function tenths(items: readonly ItemResult[]): number[] {
  const counts = Array.from({ length: 10 }, () => 0)
  for (const { position } of items) {
    const tenth = Math.min(9, Math.floor((position ?? 0) * 10))
    counts[tenth] = (counts[tenth] ?? 0) + 1
  }
  return counts.map((count) => (items.length === 0 ? 0 : count / items.length))
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [key, count] of counts.flatMap((each) => Object.entries(each)))
    total[key] = (total[key] ?? 0) + count
  return total
}
