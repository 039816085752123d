import { createRelatedness, type Relatedness, type Topic } from './relatedness.ts'
import type { Segment } from './split-segments.ts'
import { type Terms, textTerms } from './terms.ts'

/** The newest turns may take this share of the room; the rest is for old steps on the same topic. */
const NEWEST_SHARE = 0.6
/** The weight of the user's last message, as a multiple of the newest step's. */
const QUESTION_WEIGHT = 3
/** The most telling terms are the topic: the others cost time and change nothing. */
const TOPIC_TERMS = 64

const NO_TERMS: Terms = new Map()

export interface ChooseInput {
  readonly segments: readonly Segment[]
  /** Tokens for everything that is kept. */
  readonly room: number
  readonly keepTurns: number
  /** Empty for none. */
  readonly focusTopic: string
}

export interface Choice {
  /** Indices of the segments that stay. */
  readonly kept: ReadonlySet<number>
  readonly relatedness: Relatedness
}

/**
 * The segments that stay: the last step and its question whatever they cost, then the newest turns, then old steps, the
 * most related first, while there is room. A step never stays without its question.
 */
export function chooseSegments({ segments, room, keepTurns, focusTopic }: ChooseInput): Choice {
  const kept = new Set<number>()
  let left = room
  const keep = (index: number, reserved: number): boolean => {
    const wanted = new Set([segments[index]?.question ?? -1, index])
    let cost = 0
    for (const at of wanted) if (!kept.has(at)) cost += segments[at]?.tokens ?? 0
    if (kept.size > 0 && cost > left - reserved) return false
    left -= cost
    for (const at of wanted) if (at !== -1) kept.add(at)
    return true
  }

  const indices = [...segments.keys()]
  const questions = indices.filter((index) => segments[index]?.isQuestion)
  // A question comes with its steps; only the last one may have none yet.
  const steps = indices.filter((index) => !segments[index]?.isQuestion || index === segments.length - 1)
  const newestFrom = questions.at(-keepTurns) ?? 0
  for (const index of steps.filter((at) => at >= newestFrom).reverse())
    if (!keep(index, room * (1 - NEWEST_SHARE))) break

  const relatedness = createRelatedness(segments.map(({ terms }) => terms))
  const termsOf = (list: readonly number[]) => list.map((index) => segments[index]?.terms ?? NO_TERMS)
  const asked = [...termsOf(questions.slice(-1)), textTerms(focusTopic)]
  const newest = termsOf([...kept].sort((a, b) => b - a))
  const topic = topicOf(asked, newest, relatedness)
  const scores = segments.map(({ terms }) => relatedness.score(terms, topic))
  const scoreOf = (index: number) => (scores[index] ?? 0) + (scores[segments[index]?.question ?? -1] ?? 0)
  const old = steps.filter((index) => !kept.has(index))
  for (const index of old.sort((a, b) => scoreOf(b) - scoreOf(a) || b - a)) keep(index, 0)
  return { kept, relatedness }
}

/** The topic of the user's last message and of the newest steps; the further back, the less it counts. */
function topicOf(asked: readonly Terms[], newest: readonly Terms[], { rarity }: Relatedness): Topic {
  const weights = new Map<string, number>()
  const add = (terms: Terms, weight: number): void => {
    for (const [term, { count }] of terms)
      weights.set(term, (weights.get(term) ?? 0) + weight * (1 + Math.log(count)) * rarity(term))
  }
  for (const terms of asked) add(terms, QUESTION_WEIGHT)
  for (const [stepsAgo, terms] of newest.entries()) add(terms, 1 / (1 + stepsAgo))
  return new Map([...weights].sort(([, a], [, b]) => b - a).slice(0, TOPIC_TERMS))
}
