import type { Terms } from './terms.ts'

/** The weight of each term for the topic: its rarity, and more where it is stressed. */
export type Topic = ReadonlyMap<string, number>

export interface Relatedness {
  /** The weight of a term: large when few documents have it, nearly 0 when all have. */
  rarity(term: string): number
  /** The relatedness of a document to a topic; 0 when they share nothing. */
  score(document: Terms, topic: Topic): number
}

/** The usual constants of BM25: how soon repetition stops to count, and how much length counts against a text. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** BM25 over a collection of documents. */
export function createRelatedness(documents: readonly Terms[]): Relatedness {
  const spread = new Map<string, number>()
  for (const document of documents)
    for (const term of document.keys()) spread.set(term, (spread.get(term) ?? 0) + 1)
  const meanSize = Math.max(1, documents.reduce((sum, { size }) => sum + size, 0) / documents.length)
  return {
    rarity(term) {
      const having = spread.get(term) ?? 0
      return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
    },
    score(document, topic) {
      const drag = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * document.size) / meanSize)
      let score = 0
      for (const [term, weight] of topic) {
        const count = document.get(term)?.count ?? 0
        score += (weight * count) / (count + drag)
      }
      return score
    },
  }
}
