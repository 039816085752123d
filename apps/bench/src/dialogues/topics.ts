import data from '../../data/dialogues.json' with { type: 'json' }
import { type Random, shuffle } from '../workload/vocabulary.ts'
import type { Decoy, ItemKind, Subject } from './dialogue.ts'
import { createItemSource, createNaming, type Naming, type PlannedItem, type PlannedTask } from './items.ts'

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

/** 1 to 4 topics of a dialogue, 2.5 in the mean. */
const TOPIC_COUNTS = [1, 2, 2, 3, 3, 4] as const
const ITEMS_EACH = [4, 6] as const
/** Other titles, of each of which something is wanted once. */
const ASIDES = 5

type PlannedTopics = { readonly topics: readonly PlannedTopic[]; readonly asides: readonly string[] }

/** The topics of a dialogue. A title, an attribute and a value occur in one of them only. */
export function planTopics(random: Random): PlannedTopics {
  const naming = createNaming(random)
  const shuffled = shuffle(data.titles, random)
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
  const unheard = shuffle(data.neverSettled, random)
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

/** One turn of a dialogue before it has words. */
export interface PlannedTurn {
  readonly introduced: readonly PlannedTopic[]
  /** Titles of what is wanted once, in between. */
  readonly asides: readonly string[]
  readonly topic: PlannedTopic | undefined
  readonly said: readonly Saying[]
  /** Items that the assistant proposed in the turn before and the user takes up. */
  readonly accepted: readonly PlannedItem[]
  readonly probe: PlannedProbe | undefined
}

export interface Saying {
  readonly item: PlannedItem
  /** `stated`, `wrong`, `corrected` and `rival` are the user's words; `proposed` and `changed` the assistant's. */
  readonly as: 'stated' | 'wrong' | 'corrected' | 'rival' | 'proposed' | 'changed'
}

export interface PlannedProbe {
  readonly topic: PlannedTopic
  readonly question: PlannedItem | undefined
  readonly decoy: Decoy
}

export function isAssistants({ as }: Saying): boolean {
  return as === 'proposed' || as === 'changed'
}

/** Share of a dialogue's turns in which an item may come up, and in which it may be corrected. */
const SAID_UNTIL = 0.6
const CORRECTED_UNTIL = 0.75
/** Share of the items without a wrong value that the assistant proposes and the user takes up. */
const PROPOSED_SHARE = 0.15
const PROBED_AT = [0.5, 0.8, 1] as const

export function planTurns({ topics, asides }: PlannedTopics, turns: number, random: Random): PlannedTurn[] {
  const probes = planProbes(topics, turns, random)
  const said = Array.from({ length: turns }, (): Saying[] => [])
  const accepted = Array.from({ length: turns }, (): PlannedItem[] => [])
  /** A turn between two shares of the dialogue in which nothing is asked. */
  const pickTurn = (low: number, high: number): number => {
    for (;;) {
      const turn = random.int(low, high)
      if (probes[turn] === undefined) return turn
    }
  }
  const last = (share: number): number => Math.max(2, Math.floor(turns * share) - 1)
  /** A later turn for the second statement. */
  const pickLater = (first: number): number =>
    pickTurn(Math.min(first + 1, last(CORRECTED_UNTIL)), last(CORRECTED_UNTIL) + 1)
  for (const item of topics.flatMap(({ items, contests }) => [...items, ...contests])) {
    const first = pickTurn(0, last(SAID_UNTIL))
    if (item.rival !== undefined) {
      said[first]?.push({ item, as: 'stated' })
      said[pickLater(first)]?.push({ item, as: item.rival.by === 'user' ? 'rival' : 'changed' })
    } else if (item.wrong !== undefined) {
      said[first]?.push({ item, as: 'wrong' })
      said[pickLater(first)]?.push({ item, as: 'corrected' })
    } else if (random.next() < PROPOSED_SHARE && probes[first + 1] === undefined) {
      said[first]?.push({ item, as: 'proposed' })
      accepted[first + 1]?.push(item)
    } else said[first]?.push({ item, as: 'stated' })
  }
  const asidesAt = asides.map((title) => ({ title, turn: pickTurn(0, last(SAID_UNTIL)) }))
  const seen = new Set<PlannedTopic>()
  return said.map((sayings, turn): PlannedTurn => {
    const about = topics.filter(({ items, contests }) =>
      sayings.some(({ item }) => items.includes(item) || contests.includes(item)),
    )
    const introduced = about.filter((topic) => !seen.has(topic))
    for (const topic of introduced) seen.add(topic)
    const probe = probes[turn]
    const known = [...seen]
    return {
      introduced,
      asides: asidesAt.flatMap((aside) => (aside.turn === turn ? [aside.title] : [])),
      topic:
        probe?.topic ??
        about[0] ??
        (known.length > 0 && random.next() < 0.7 ? random.pick(known) : undefined),
      said: sayings,
      accepted: accepted[turn] ?? [],
      probe,
    }
  })
}

/** By turn. The last probes stand at the end, the others about where `PROBED_AT` says. */
function planProbes(
  topics: readonly PlannedTopic[],
  turns: number,
  random: Random,
): (PlannedProbe | undefined)[] {
  const probes = Array.from({ length: turns }, (): PlannedProbe | undefined => undefined)
  for (const share of PROBED_AT) {
    for (const topic of topics) {
      let turn = Math.ceil(turns * share) - 1
      while (probes[turn] !== undefined) turn--
      probes[turn] = {
        topic,
        question: random.next() < 0.5 ? random.pick(topic.items) : undefined,
        decoy: random.pick(topic.decoys),
      }
    }
  }
  return probes
}
