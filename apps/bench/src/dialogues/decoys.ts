import type { Random } from '../workload/random.ts'
import type { Decoy, ItemKind, Subject } from './dialogue.ts'
import type { PlannedItem } from './items.ts'
import { shuffle } from './shuffle.ts'
import { NEVER_SETTLED, TECHNOLOGIES } from './subjects.ts'

/** What a decoy needs to know of a topic. */
interface Said {
  readonly title: string
  readonly items: readonly PlannedItem[]
  readonly contests: readonly PlannedItem[]
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
    topics.map((topic, index) => {
      const others = topics.filter((other) => other !== topic)
      const elsewhere = others.map(({ title }) => firstWord(title))
      const decoy = (kind: ItemKind, about: string, origin: Decoy['origin']): Decoy => {
        const subject: Subject = [firstWord(topic.title), about]
        return { kind, subject, origin, pool: valuesOf(topics, kind, about), elsewhere }
      }
      const foreign = others
        .flatMap(({ items }) => items)
        .filter(({ kind }) => FOREIGN_KINDS.includes(kind))
        .slice(0, 1)
        .map(({ kind, subject: [, about] }) => decoy(kind, about, 'foreign'))
      return [topic.title, [decoy('setting', unheard[index] ?? '', 'absent'), ...foreign]] as const
    }),
  )
}

/** Every value of a kind that is said, right or wrong; of technologies those for the same purpose. */
function valuesOf(topics: readonly Said[], of: ItemKind, about: string): string[] {
  if (of === 'technology') return [...(TECHNOLOGIES.find(([purpose]) => purpose === about)?.[1] ?? [])]
  return topics
    .flatMap(({ items, contests }) => [...items, ...contests])
    .filter(({ kind }) => kind === of)
    .flatMap(({ value, wrong, rival }) => [value, wrong, rival?.value])
    .filter((value) => value !== undefined)
}

const firstWord = (title: string): string => title.split(' ')[0] ?? title
