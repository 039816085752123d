import type { Random } from '../workload/random.ts'
import type { Decoy, ItemKind, Subject } from './dialogue.ts'
import { shuffle } from './shuffle.ts'
import { NEVER_SETTLED } from './subjects.ts'

/** What a decoy needs to know of a topic. */
interface Said {
  readonly title: string
  readonly items: readonly { readonly kind: ItemKind; readonly subject: Subject }[]
}

/** Kinds whose subject is a thing with a value, so that it can be asked about for another topic. */
const FOREIGN_KINDS: readonly ItemKind[] = ['setting', 'technology', 'parameter']

/**
 * For each topic what is asked about although nobody settled it: something that nobody mentions, and, when there is another
 * topic, something that was settled for that one only.
 */
export function planDecoys(topics: readonly Said[], random: Random): ReadonlyMap<string, readonly Decoy[]> {
  const unheard = shuffle(NEVER_SETTLED, random)
  return new Map(
    topics.map(({ title }, index) => {
      const about = (thing: string): Subject => [title.split(' ')[0] ?? title, thing]
      const foreign = topics
        .filter((other) => other.title !== title)
        .flatMap(({ items }) => items)
        .find(({ kind }) => FOREIGN_KINDS.includes(kind))
      const decoys: Decoy[] = [{ subject: about(unheard[index] ?? ''), origin: 'absent' }]
      if (foreign !== undefined) decoys.push({ subject: about(foreign.subject[1]), origin: 'foreign' })
      return [title, decoys] as const
    }),
  )
}
