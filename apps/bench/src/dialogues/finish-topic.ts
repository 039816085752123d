import type { Contest, Item, Topic } from './dialogue.ts'
import type { PlannedItem } from './items.ts'
import type { PlannedTopic } from './topics.ts'

/** Indexes of the messages in which items were said first and last. */
export interface Places {
  readonly first: Map<PlannedItem, number>
  readonly last: Map<PlannedItem, number>
}

/** A topic with the places of what was said about it. */
export function finishTopic(planned: PlannedTopic, places: Places): Topic {
  const { title, names, contests, task } = planned
  const at = (of: ReadonlyMap<PlannedItem, number>, item: PlannedItem): number =>
    of.get(item) ?? Number.POSITIVE_INFINITY
  const items = planned.items.map((item): Item => {
    const { kind, subject, value, wrong } = item
    return {
      kind,
      subject,
      value,
      settledAt: at(places.last, item),
      ...(wrong !== undefined && { wrong: { value: wrong, statedAt: at(places.first, item) } }),
    }
  })
  return {
    title,
    items,
    task: {
      name: names[2],
      template: task.template,
      numbers: items.filter((_, index) => task.numbers.some((number) => number === planned.items[index])),
    },
    contests: contests.flatMap((item): Contest[] => {
      const { kind, subject, value, rival } = item
      if (rival === undefined) return []
      const values = [value, rival.value] as const
      return [{ kind, subject, values, by: rival.by, contestedAt: at(places.last, item) }]
    }),
  }
}
