import { extractFacts } from '../facts/extract-facts.ts'
import type { Fact } from '../facts/fact.ts'
import { labelledFacts } from '../facts/labelled-facts.ts'
import { type Item, turnMark } from './item.ts'
import type { Walk } from './walk-messages.ts'

const SPEAKER_WEIGHT = { user: 1, assistant: 0.75, tool: 0.7, system: 0 } as const

/** The facts of a transcript merged with those of an earlier summary: for each name, the latest value. */
export function factItems(walk: Walk, previous: readonly Item[]): Item[] {
  const items = new Map<string, Item>()
  const put = (key: string, item: Item): void => {
    items.delete(key)
    items.set(key, item)
  }
  for (const [index, item] of previous.entries()) put(factOf(item.text)?.key ?? `other ${index}`, item)
  for (const [index, { role, facts }] of walk.digests.entries()) {
    const turn = walk.turnNumbers[index] ?? -1
    const speaker = role === 'tool' ? '' : `${turnMark(turn)}${role}: `
    for (const { key, text, weight } of facts)
      put(key, { slot: 'Critical Context', text: speaker + text, turn: role === 'tool' ? -1 : turn, weight: SPEAKER_WEIGHT[role] * weight, lasting: true })
  }
  return [...items.values()]
}

/** The fact that a line of an earlier summary states. */
function factOf(line: string): Fact | undefined {
  const text = line.replace(/^t\d+ (?:user|assistant): /, '')
  return extractFacts(text, true)[0] ?? labelledFacts(text)[0]
}
