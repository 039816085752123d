import type { Arm } from '../arms/arm.ts'
import { type Estimate, estimateMean } from '../bootstrap.ts'
import type { ItemResult, Played, ProbeResult, Trail } from './played.ts'

/** What an arm did over all dialogues at one budget. A figure is null where there was nothing to measure. */
export interface ArmSummary {
  readonly arm: string
  readonly kind: Arm['kind']
  readonly budget: number
  /** Share of the items that stood in the prompt when they were asked for: no answer from it finds more. */
  readonly itemRecall: Estimate | null
  /** Share of those that were in the prompt or in the answer of one call of a tool. */
  readonly reached: Estimate | null
  /** Share of what came up before whose title stands in the prompt, without the topic that is asked about. */
  readonly topicRecall: Estimate | null
  /** Share of the functions, once all of their numbers are settled, of which every number stands in the prompt. */
  readonly functionsComplete: Estimate | null
  /** Share of the corrected items whose old value is shown without the one that holds beside it. */
  readonly staleExposure: Estimate | null
  /** Of the corrected items: the old value is shown so, and the one that holds is nowhere in the prompt. */
  readonly misled: Estimate | null
  /** Of the corrected items: what the prompt says last about the subject shows the value that holds. */
  readonly updateAccuracy: Estimate | null
  readonly contradictions: Contradictions
  /**
   * The files that the prompt presents as changed, against those that calls created, edited, deleted or renamed so far: F1, 0
   * when no file is presented.
   */
  readonly trail: Estimate | null
  /** Tokens of the messages of the prompts in which something was asked, and of the tools beside them. */
  readonly tokens: Estimate | null
  readonly toolTokens: Estimate | null
  /** Requests whose messages are above the budget, of all. */
  readonly overBudget: { readonly count: number; readonly n: number }
  /** Requests for which something was left out or summarised that was not before. */
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

/** What was said in two ways without a word on which one holds. */
export interface Contradictions {
  /** Share of it of which the prompt shows both values with a mark of conflict. */
  readonly flagged: Estimate | null
  /** The same for the prompt and the answer of one call together. */
  readonly flaggedWithTools: Estimate | null
  /** Share of the items, which are not contested, that the prompt or the answer of one call marks so. */
  readonly falselyFlagged: Estimate | null
}

/** Means over the plays of one arm at one budget. */
export function summarizePlays(arm: Arm, budget: number, plays: readonly Played[]): ArmSummary {
  const mean = (values: (probe: ProbeResult) => readonly (boolean | number)[]) => meanOver(plays, values)
  const sizes = plays.flatMap(({ tokens }) => tokens)
  return {
    arm: arm.name,
    kind: arm.kind,
    budget,
    itemRecall: mean(({ items }) => items.map(({ isShown }) => isShown)),
    reached: mean(({ items }) => items.map(({ isReached }) => isReached)),
    topicRecall: mean(({ raised: { found, n } }) => (n === 0 ? [] : [found / n])),
    functionsComplete: mean(({ isFunctionComplete: isComplete }) =>
      isComplete === null ? [] : [isComplete],
    ),
    staleExposure: mean((probe) => corrected(probe).map(({ isStale }) => isStale === true)),
    misled: mean((probe) => corrected(probe).map(({ isStale, isShown }) => isStale === true && !isShown)),
    updateAccuracy: mean((probe) => corrected(probe).map(({ isCurrent }) => isCurrent === true)),
    contradictions: {
      flagged: mean(({ contests }) => contests.map(({ isFlagged }) => isFlagged)),
      flaggedWithTools: mean(({ contests }) => contests.map(({ isFlaggedWithTools }) => isFlaggedWithTools)),
      falselyFlagged: mean(({ items }) => items.map(({ isFlagged }) => isFlagged)),
    },
    // Before the first change of a file there is no trail.
    trail: mean(({ trail }) => (trail.changed === 0 ? [] : [f1(trail)])),
    tokens: mean(({ tokens }) => [tokens]),
    toolTokens: mean(({ toolTokens }) => [toolTokens]),
    overBudget: { count: sizes.filter((size) => size > budget).length, n: sizes.length },
    compactions: plays.reduce((total, { compactions }) => total + compactions, 0),
    warnings: addUp(plays.map(({ warnings }) => warnings)),
  }
}

const corrected = ({ items }: ProbeResult): ItemResult[] => items.filter(({ isStale }) => isStale !== null)

const f1 = ({ changed, presented, right }: Trail): number => (2 * right) / (changed + presented)

function meanOver(
  plays: readonly Played[],
  values: (probe: ProbeResult) => readonly (boolean | number)[],
): Estimate | null {
  return estimateMean(
    plays.map(({ probes }) => {
      const all = probes.flatMap(values).map(Number)
      return { sum: all.reduce((total, value) => total + value, 0), n: all.length }
    }),
  )
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [key, count] of counts.flatMap((each) => Object.entries(each)))
    total[key] = (total[key] ?? 0) + count
  return total
}
