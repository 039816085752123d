import type { Candidate, CandidateChoice } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { boundChoice } from './bounds.ts'
import { decisionsOf, indexOf, textOf } from './ledger-index.ts'
import { overlap, saysNothingNew, type Words, wordsOf } from './near-text.ts'
import type { ResolveContext } from './resolve-context.ts'
import { isProse, slotPrefix } from './value-key.ts'

/** Neighbours that are shown of one candidate. */
export const MAX_NEIGHBOURS = 5

/** Decisions that are compared with one candidate: those that share its rarest words, and the newest of its category. */
const MAX_COMPARED = 32

/** From which overlap of words, and from which similarity of an embedding, two texts may mean the same. */
const ALIKE = { words: 0.25, embedding: 0.75 }
/** From which similarity of an embedding they do. */
const SAME_EMBEDDING = 0.95

export interface Neighbour {
  readonly decision: Decision
  /** Share of words in common, or the similarity that an embedding gives when that is more. */
  readonly score: number
  /** True when the candidate's text adds nothing to the decision's. */
  readonly isSame: boolean
}

/**
 * Active and proposed decisions whose text resembles a candidate's, the nearest first. Found through an index of words,
 * not by comparing all pairs, and judged by exact overlap: texts are one line long, where a MinHash of 32 permutations
 * errs by ±0.1 and its bands lose what overlaps by half, and where BM25, with every word once and lengths alike, ranks as the
 * weight of the shared words does. So shared words are weighed by how rare they are, and nothing is hashed.
 */
export function findNeighbours(choice: CandidateChoice, context: ResolveContext): Neighbour[] {
  const text = textOf(choice)
  const words = wordsOf(text)
  return comparedWith(choice, words, context)
    .map((decision) => compare(text, words, decision, context.similarity))
    .sort(nearestFirst)
}

/** The texts that `findNeighbours` will ask a similarity about for some candidates; each once. */
export function textsToCompare(candidates: readonly Candidate[], context: ResolveContext): string[] {
  const texts = candidates.flatMap((candidate) => {
    if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return []
    const choice = boundChoice(candidate.choice)
    if (choice === undefined || (!isProse(choice.slot) && context.compare !== 'category')) return []
    const text = textOf(choice)
    return [text, ...comparedWith(choice, wordsOf(text), context).flatMap(textsOf)]
  })
  return [...new Set(texts)]
}

/** Those that share the rarest words, and the newest of the category where more than words tell what is alike. */
function comparedWith(
  choice: CandidateChoice,
  words: Words,
  { ledger, scope, similarity }: ResolveContext,
): Decision[] {
  const index = indexOf(ledger)
  const ids = sharingWords(words, index.withWord)
  if (similarity) ids.push(...index.ofCategory(choice.category).slice(-MAX_COMPARED))
  return decisionsOf([...new Set(ids)], ledger).filter(
    (decision) => stands(decision) && decision.scope === scope && isComparable(choice, decision),
  )
}

/** Of those, the ones that may mean the same. */
export function alike(neighbours: readonly Neighbour[]): Neighbour[] {
  return neighbours.filter(({ score }) => score >= ALIKE.words)
}

/** The nearest decisions of a candidate's category, alike or not: the newest when none is alike. */
export function nearestOfCategory(choice: CandidateChoice, context: ResolveContext): Decision[] {
  const { ledger, scope } = context
  const near = findNeighbours(choice, context).map(({ decision }) => decision)
  const ids = indexOf(ledger).ofCategory(choice.category).slice(-MAX_COMPARED)
  const newest = decisionsOf(ids.toReversed(), ledger).filter(
    (decision) => stands(decision) && decision.scope === scope,
  )
  const unique = new Map([...near, ...newest].map((decision) => [decision.id, decision]))
  return [...unique.values()].filter(({ category }) => category === choice.category).slice(0, MAX_NEIGHBOURS)
}

function sharingWords(words: Words, withWord: (word: string) => readonly string[]): string[] {
  const weights = new Map<string, number>()
  for (const word of words.words) {
    const ids = withWord(word)
    for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + 1 / ids.length)
  }
  return [...weights]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_COMPARED)
    .map(([id]) => id)
}

/** The text of a decision, and those that merges added to it. */
function textsOf(decision: Decision): string[] {
  return [textOf(decision), ...decision.merged.map(({ text }) => text)]
}

interface Said {
  readonly text: string
  readonly words: Words
}

const known = new WeakMap<Decision, readonly Said[]>()

function saidBy(decision: Decision): readonly Said[] {
  const said = known.get(decision) ?? textsOf(decision).map((text) => ({ text, words: wordsOf(text) }))
  known.set(decision, said)
  return said
}

function compare(
  text: string,
  words: Words,
  decision: Decision,
  similarity: ResolveContext['similarity'],
): Neighbour {
  let score = 0
  let isSame = false
  for (const other of saidBy(decision)) {
    const embedded = measured(similarity, text, other.text)
    score = Math.max(score, overlap(words, other.words), embedded >= ALIKE.embedding ? embedded : 0)
    // An embedding hears no "not" and no number: what it calls the same must have the same words for both.
    isSame ||=
      saysNothingNew(words, other.words) ||
      (embedded >= SAME_EMBEDDING && marksOf(words) === marksOf(other.words))
  }
  return { decision, score, isSame }
}

/** The similarity by an embedding; 0 when it has none, fails, or gives no number. */
function measured(similarity: ResolveContext['similarity'], a: string, b: string): number {
  try {
    const value: unknown = similarity?.(a, b)
    return typeof value === 'number' && Number.isFinite(value) ? value : 0
  } catch {
    return 0
  }
}

/** The negations and numbers of a sentence, as one text. */
function marksOf({ words, negations }: Words): string {
  return [...negations, ...[...words].filter((word) => /\p{N}/u.test(word))].sort().join(' ')
}

function stands({ status }: Decision): boolean {
  return status === 'active' || status === 'proposed'
}

/** Sentences are compared with sentences of their kind and area; a value with what is of its category. */
function isComparable(choice: CandidateChoice, decision: Decision): boolean {
  if (!isProse(choice.slot)) return !isProse(decision.slot) && decision.category === choice.category
  return slotPrefix(decision.slot) === slotPrefix(choice.slot) && decision.area === choice.area
}

function nearestFirst(a: Neighbour, b: Neighbour): number {
  return b.score - a.score || (a.decision.id < b.decision.id ? -1 : 1)
}
