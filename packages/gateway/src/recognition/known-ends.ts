import { putNewest } from '../put-newest.ts'
import type { PrefixHashes } from './prefix-hashes.ts'

/** The list of a conversation as it ended, by the hashes of single messages. */
interface KnownEnd {
  readonly name: string
  readonly first: readonly string[]
  readonly last: readonly string[]
  /** Over the whole list. */
  readonly hash: string
}

/** Messages at the beginning and at the end of a list that are remembered. */
const FIRST = 8
const LAST = 64
/** Messages in a row, up to the last answer, that make a list the end of a known one. */
const LEAST_ALIKE = 3

/**
 * The ends of conversations without a name, for clients that leave out their oldest messages: nothing of such a list's beginning is
 * known, and its end is. In memory, of the conversations that this process has answered.
 *
 * @param limit conversations.
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
    /** The conversation that a list goes on from without some of its messages. */
    find(owner: string, prefix: PrefixHashes): Pick<KnownEnd, 'name' | 'hash'> | undefined {
      const end = ends.get(keyOf(owner, prefix))
      if (end === undefined) return undefined
      const said = prefix.own.slice(0, prefix.answer + 1)
      const { first, last } = end
      let alike = 0
      while (alike < Math.min(said.length, last.length) && said.at(-1 - alike) === last.at(-1 - alike))
        alike++
      const rest = said.slice(0, said.length - alike)
      // A client may keep the first messages, such as the task.
      const isKept = alike === last.length || rest.every((hash, index) => hash === first[index])
      return alike >= LEAST_ALIKE && isKept ? end : undefined
    },
  }
}
