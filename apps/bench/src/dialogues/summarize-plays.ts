import { type Estimate, estimateDifference, estimateMean, type Sum } from './bootstrap.ts'
import { ITEM_KINDS, type ItemKind } from './dialogue.ts'
import type { ItemResult, Played } from './play-dialogue.ts'

/** What an arm did over all dialogues at one budget. */
export interface ArmSummary {
  readonly arm: string
  readonly budget: number
  /** Share of the items that stood in the prompt when they were asked for. */
  readonly itemRecall: Estimate | null
  readonly recallByKind: Readonly<Record<ItemKind, Estimate | null>>
  /** The item recall, minus that of the first arm on the same dialogues. */
  readonly gain: Estimate | null
  /** Of those that were settled so early that the end of the conversation that fits does not hold them. */
  readonly earlyRecall: Estimate | null
  /** Share of a topic's names in the prompt. */
  readonly topicRecall: Estimate | null
  /** Share of the corrected items whose old value is shown without the one that holds beside it. */
  readonly staleExposure: Estimate | null
  /** Of the corrected items: the old value is shown so, and the one that holds is nowhere in the prompt. */
  readonly misled: Estimate | null
  /** By tool: share of the items that are in the prompt or in the answer of one call. */
  readonly reached: Readonly<Record<string, Estimate | null>>
  /** Tokens of the prompts in which something was asked. */
  readonly tokens: Estimate | null
  /** Share of the request before that a request begins with. */
  readonly stability: Estimate | null
  /** Requests above the budget, of all. */
  readonly overBudget: { readonly count: number; readonly n: number }
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

/** The plays of one arm at one budget, and those of the first arm, dialogue by dialogue. */
export interface ArmPlays {
  readonly arm: string
  readonly budget: number
  readonly plays: readonly Played[]
  readonly first: readonly Played[]
}

/** Means over the dialogues. */
export function summarizePlays({ arm, budget, plays, first }: ArmPlays): ArmSummary {
  const tools = new Set(
    plays.flatMap((play) => itemsOf(play)).flatMap(({ reachedBy }) => Object.keys(reachedBy)),
  )
  const mean = (values: (play: Played) => readonly number[]) =>
    estimateMean(plays.map((play) => sum(values(play))))
  const sizes = plays.flatMap(({ tokens }) => tokens)
  const wasWrong = (play: Played) => itemsOf(play).filter(({ isStale }) => isStale !== null)
  return {
    arm,
    budget,
    itemRecall: mean((play) => shown(itemsOf(play))),
    recallByKind: Object.fromEntries(
      ITEM_KINDS.map((kind) => [
        kind,
        mean((play) => shown(itemsOf(play).filter(({ item }) => item.kind === kind))),
      ]),
    ) as Record<ItemKind, Estimate | null>,
    gain: estimateDifference(
      plays.map((play) => sum(shown(itemsOf(play)))),
      first.map((play) => sum(shown(itemsOf(play)))),
    ),
    earlyRecall: mean((play) => shown(itemsOf(play).filter(({ isEarly }) => isEarly))),
    topicRecall: mean(({ probes }) => probes.map(({ names }) => names.found / names.n)),
    staleExposure: mean((play) => wasWrong(play).map(({ isStale }) => Number(isStale))),
    misled: mean((play) =>
      wasWrong(play).map(({ isStale, isShown }) => Number(isStale === true && !isShown)),
    ),
    reached: Object.fromEntries(
      [...tools].map((tool) => [
        tool,
        mean((play) => itemsOf(play).map(({ reachedBy }) => Number(reachedBy[tool]))),
      ]),
    ),
    tokens: mean(({ probes }) => probes.map((probe) => probe.tokens)),
    stability: mean(({ stability }) => stability),
    overBudget: { count: sizes.filter((size) => size > budget).length, n: sizes.length },
    compactions: plays.reduce((total, { compactions }) => total + compactions, 0),
    warnings: addUp(plays.map(({ warnings }) => warnings)),
  }
}

const itemsOf = ({ probes }: Played): ItemResult[] => probes.flatMap(({ items }) => items)
const shown = (items: readonly ItemResult[]): number[] => items.map(({ isShown }) => Number(isShown))

function sum(values: readonly number[]): Sum {
  return { sum: values.reduce((total, value) => total + value, 0), n: values.length }
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [key, count] of counts.flatMap((each) => Object.entries(each)))
    total[key] = (total[key] ?? 0) + count
  return total
}
