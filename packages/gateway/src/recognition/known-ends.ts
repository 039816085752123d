import { putNewest } from '../put-newest.ts'
import type { PrefixHashes } from './prefix-hashes.ts'

interface KnownEnd {
  readonly name: string
  readonly first: readonly string[]
  readonly last: readonly string[]
  readonly hash: string
}

/** Number of remembered messages at the start and the end of a list. */
const FIRST = 8
const LAST = 64
/** Messages in a row, up to the last answer, that identify the end of a known list. */
const LEAST_ALIKE = 3

/**
 * The ends of unnamed conversations, for clients that leave out their oldest messages: such a list's start is unknown,
 * but its end is not. In memory only.
 */
export function createKnownEnds(limit: number) {
  const ends = new Map<string, KnownEnd>()
  const keyOf = (owner: string, { root, own, answer }: PrefixHashes) =>
    [owner, root, ...own.slice(Math.max(0, answer + 1 - LEAST_ALIKE), answer + 1)].join('\n')
  return {
    remember(owner: string, name: string, prefix: PrefixHashes): void {
      const { own, hashes, answer } = prefix
      const hash = hashes.at(-1)
      if (hash === undefined || answer !== own.length - 1) return
      putNewest(
        ends,
        keyOf(owner, prefix),
        { name, first: own.slice(0, FIRST), last: own.slice(-LAST), hash },
        limit,
      )
    },
    find(owner: string, prefix: PrefixHashes): Pick<KnownEnd, 'name' | 'hash'> | undefined {
      const end = ends.get(keyOf(owner, prefix))
      if (end === undefined) return undefined
      const said = prefix.own.slice(0, prefix.answer + 1)
      const { first, last } = end
      let alike = 0
      while (alike < Math.min(said.length, last.length) && said.at(-1 - alike) === last.at(-1 - alike))
        alike++
      const rest = said.slice(0, said.length - alike)
      const isKept = alike === last.length || rest.every((hash, index) => hash === first[index])
      return alike >= LEAST_ALIKE && isKept ? end : undefined
    },
  }
}
