import { type Random, shuffle } from '../workload/random.ts'
import type { Decoy, ItemKind, Subject } from './dialogue.ts'
import { createItemSource, createNaming, type Naming, type PlannedItem, type PlannedTask } from './items.ts'
import { NEVER_SETTLED } from './subjects.ts'

export interface PlannedTopic {
  readonly title: string
  /** Its path, class, function and helper: named when the topic comes up, and in tool calls. */
  readonly names: TopicNames
  readonly items: readonly PlannedItem[]
  /** Its numbers are among the items. */
  readonly task: PlannedTask
  readonly contests: readonly PlannedItem[]
  readonly decoys: readonly Decoy[]
}

type TopicNames = readonly [path: string, className: string, method: string, helper: string]

/** None of these words is in the vocabulary that fills tool results. */
const TITLES = [
  'voucher import',
  'courier tracking',
  'thumbnail rendering',
  'invoice export',
  'ledger reconciliation',
  'tenant onboarding',
  'telemetry upload',
  'recipe ranking',
  'firmware rollout',
  'subtitle alignment',
  'warehouse picking',
  'newsletter delivery',
]

/** 1 to 4 topics of a dialogue, 2.5 in the mean. */
const TOPIC_COUNTS = [1, 2, 2, 3, 3, 4] as const
const ITEMS_EACH = [4, 6] as const
/** Other titles, of each of which something is wanted once. */
const ASIDES = 5

export interface PlannedTopics {
  readonly topics: readonly PlannedTopic[]
  readonly asides: readonly string[]
}

/** The topics of a dialogue. A title, an attribute and a value occur in one of them only. */
export function planTopics(random: Random): PlannedTopics {
  const naming = createNaming(random)
  const shuffled = shuffle(TITLES, random)
  const count = random.pick(TOPIC_COUNTS)
  const source = createItemSource(random, naming)
  const topics = shuffled.slice(0, count).map((title) => {
    const names = topicNames(title, naming)
    const items = Array.from({ length: random.int(...ITEMS_EACH) }, () => source.item(title))
    const task = source.task(title)
    return { title, names, items: [...items, ...task.numbers], task, contests: [source.contest(title)] }
  })
  const decoys = planDecoys(topics, random)
  return {
    topics: topics.map((topic) => ({ ...topic, decoys: decoys.get(topic.title) ?? [] })),
    asides: shuffled.slice(count, count + ASIDES),
  }
}

function topicNames(title: string, naming: Naming): TopicNames {
  const noun = title.split(' ')[0] ?? title
  const [file, className, method, helper] = [naming.word(), naming.word(), naming.word(), naming.word()]
  return [
    `src/${noun}/${file}.py`,
    `${capital(noun)}${capital(className)}`,
    `${method}_${noun}`,
    `_${helper}`,
  ]
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Kinds whose subject is a thing with a value, so that it can be asked about for another topic. */
const FOREIGN_KINDS: readonly ItemKind[] = ['setting', 'technology', 'parameter']

/** For each topic something never mentioned and, where there is another topic, something settled for that one only. */
function planDecoys(
  topics: readonly Omit<PlannedTopic, 'decoys'>[],
  random: Random,
): ReadonlyMap<string, readonly Decoy[]> {
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
