import type { Random } from '../workload/random.ts'
import { planDecoys } from './decoys.ts'
import type { Decoy } from './dialogue.ts'
import { createItemSource, type PlannedItem } from './items.ts'
import { createNaming, type Naming } from './naming.ts'
import { shuffle } from './shuffle.ts'

/** A topic before it is known when its items are said. */
export interface PlannedTopic {
  readonly title: string
  readonly names: readonly string[]
  readonly items: readonly PlannedItem[]
  readonly contests: readonly PlannedItem[]
  readonly decoys: readonly Decoy[]
}

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

/** The topics of a dialogue. A title, an attribute and a value occur in one of them only. */
export function planTopics(random: Random): PlannedTopic[] {
  const naming = createNaming(random)
  const titles = shuffle(TITLES, random).slice(0, random.pick(TOPIC_COUNTS))
  const source = createItemSource(random, naming)
  const topics = titles.map((title) => ({
    title,
    names: topicNames(title, naming),
    items: Array.from({ length: random.int(...ITEMS_EACH) }, () => source.item(title)),
    contests: [source.contest(title)],
  }))
  const decoys = planDecoys(topics, random)
  return topics.map((topic) => ({ ...topic, decoys: decoys.get(topic.title) ?? [] }))
}

function topicNames(title: string, naming: Naming): string[] {
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
