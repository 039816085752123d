import type { MessageDigest } from '../message-digest.ts'
import type { Identifier } from './identifier.ts'
import { needAfter, type RankedIdentifier, worthAfter } from './need.ts'
import { scoreOfRank } from './score-of-rank.ts'
import { wordingIdLimit, wordingOf } from './wording.ts'

/** Sums by the number of the wording; an entry counts only when `runs` has the number of this ranking. */
const table = { sums: new Float64Array(0), runs: new Uint32Array(0), run: 0 }

/**
 * Identifiers by the odds that a later turn needs them, per token of room; the most valuable first, `limit` of
 * them. `previous` are those of an earlier list, most valuable first in each kind. Linear in the mentions.
 */
export function rankIdentifiers(
  digests: readonly MessageDigest[],
  previous: readonly Identifier[],
  limit: number,
): RankedIdentifier[] {
  // The wordings are held until the end, so that no number is given away in between.
  const before = ranksWithinKinds(previous).map(([rank, identifier]) => ({
    identifier,
    wording: wordingOf(identifier.text),
    amount: worthAfter(identifier.text, digests.length + rank),
  }))
  const { sums, runs, run } = startRun()
  const found: Identifier[] = []
  const ids: number[] = []
  for (const { identifier, wording, amount } of before) {
    if (runs[wording.id] !== run) {
      runs[wording.id] = run
      sums[wording.id] = 0
      found.push(identifier)
      ids.push(wording.id)
    }
    sums[wording.id] = (sums[wording.id] as number) + amount
  }
  for (let index = 0; index < digests.length; index++) {
    const mentions = digests[index]?.mentions
    if (mentions === undefined) continue
    const { identifiers, weights } = mentions
    const need = needAfter(digests.length - index)
    for (let at = 0; at < mentions.ids.length; at++) {
      const id = mentions.ids[at] as number
      if (runs[id] !== run) {
        runs[id] = run
        sums[id] = 0
        found.push(identifiers[at] as Identifier)
        ids.push(id)
      }
      sums[id] = (sums[id] as number) + need * (weights[at] as number)
    }
  }
  const least = scoreOfRank(
    Float64Array.from(ids, (id) => sums[id] ?? 0),
    limit,
  )
  const ranked: RankedIdentifier[] = []
  for (let at = 0; at < ids.length; at++) {
    const score = sums[ids[at] as number] as number
    const identifier = found[at]
    if (score >= least && identifier !== undefined)
      ranked.push({ text: identifier.text, kind: identifier.kind, score })
  }
  return ranked.sort((a, b) => b.score - a.score).slice(0, limit)
}

function startRun() {
  table.run++
  if (table.sums.length < wordingIdLimit()) {
    table.sums = new Float64Array(wordingIdLimit() * 2)
    table.runs = new Uint32Array(wordingIdLimit() * 2)
  }
  return table
}

/** Pairs each identifier with a rank: the first of every kind come before the second of any. */
function ranksWithinKinds(identifiers: readonly Identifier[]): [number, Identifier][] {
  const positions = new Map<string, number>()
  const pairs = identifiers.map((identifier): [number, Identifier] => {
    const position = positions.get(identifier.kind) ?? 0
    positions.set(identifier.kind, position + 1)
    return [position, identifier]
  })
  const kinds = Math.max(1, positions.size)
  return pairs.map(([position, identifier]) => [position * kinds, identifier])
}
