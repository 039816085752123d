import { extractFacts } from '../facts/extract-facts.ts'
import type { Fact } from '../facts/fact.ts'
import { labelledFacts } from '../facts/labelled-facts.ts'
import { type Item, quote, turnMark } from './item.ts'
import type { Walk } from './walk-messages.ts'

type Speaker = 'user' | 'assistant' | 'tool'

const SPEAKER_WEIGHT = { user: 1, assistant: 0.8, tool: 0.8, system: 0 } as const

/** What a user's sentence with a value in it is worth, against a statement that names what has the value. */
const SENTENCE_WEIGHT = 0.5

/** The facts of a transcript merged with those of an earlier summary: for each name, the latest value. */
export function factItems(walk: Walk, previous: readonly Item[]): Item[] {
  const items = new Map<string, Item>()
  const put = (key: string, item: Item): void => {
    items.delete(key)
    items.set(key, item)
  }
  for (const [index, item] of previous.entries()) {
    const speaker = /^t\d+ (user|assistant): /.exec(item.text)?.[1] ?? 'tool'
    const fact = factOf(item.text)
    if (fact === undefined) put(`other ${index}`, item)
    else put(fact.key, { ...item, weight: SPEAKER_WEIGHT[speaker as Speaker] * fact.weight, lasting: true })
  }
  for (const [index, { role, facts, user }] of walk.digests.entries()) {
    const turn = walk.turnNumbers[index] ?? -1
    for (const { text } of user?.values ?? []) {
      // The fact alone says it shorter.
      if (facts.some((fact) => text.includes(fact.value))) continue
      const said = `${turnMark(turn)}user: ${quote(text)}`
      put(said, { slot: 'Critical Context', text: said, turn, weight: SENTENCE_WEIGHT })
    }
    const speaker = role === 'tool' ? '' : `${turnMark(turn)}${role}: `
    for (const { key, text, weight } of facts)
      put(key, {
        slot: 'Critical Context',
        text: speaker + text,
        turn: role === 'tool' ? -1 : turn,
        weight: SPEAKER_WEIGHT[role] * weight,
        lasting: true,
      })
  }
  return [...items.values()]
}

/** The fact that a line of an earlier summary states. */
function factOf(line: string): Fact | undefined {
  const text = line.replace(/^t\d+ (?:user|assistant): /, '')
  return extractFacts(text, true)[0] ?? labelledFacts(text)[0]
}
