import { countMessages, type Message, placeSummary, renderSummary, type TokenCounter } from '@palimpsest/core'
import { type ChooseInput, chooseSegments } from './choose-segments.ts'
import { describeSegments } from './describe-segments.ts'
import { foldEntries, type IndexEntry, renderIndex } from './left-out-index.ts'
import type { ContextWindow } from './read-window.ts'
import { splitSegments } from './split-segments.ts'

/** The index may take this share of the room. */
const INDEX_SHARE = 0.1

export interface PlanInput extends Omit<ChooseInput, 'segments'> {
  readonly tokens: TokenCounter
}

export interface WindowPlan {
  /** The new projection. */
  readonly messages: readonly Message[]
  /** The messages that go, by number in the conversation. */
  readonly leftOut: ReadonlyMap<number, Message>
  /** For a person, in a few words. */
  readonly description: string
}

/** Decides what stays, and puts the new projection together. Undefined when nothing may go. */
export function planWindow(
  window: ContextWindow,
  { tokens, room, ...input }: PlanInput,
): WindowPlan | undefined {
  const { head, index = [], body, numbers } = window
  const segments = splitSegments(body, tokens)
  const frame = tokens.countMessage({ role: 'user', content: renderSummary(renderIndex([])) })
  const bodyRoom = room * (1 - INDEX_SHARE) - frame - countMessages(tokens, head)
  const { kept, relatedness } = chooseSegments({ ...input, segments, room: bodyRoom })
  const gone = segments.filter((_, at) => !kept.has(at))
  if (gone.length === 0) return undefined

  const turns = Map.groupBy(gone, ({ question }) => question)
  const entries = [...turns.values()].map((turn) => describeSegments(turn, numbers, relatedness))
  const all = [...index, ...entries].sort((a, b) => firstNumber(a) - firstNumber(b))
  const summary = renderIndex(foldEntries(all, room * INDEX_SHARE, tokens))
  const tail = segments.flatMap(({ start, end }, at) => (kept.has(at) ? body.slice(start, end) : []))
  const leftOut = new Map<number, Message>()
  for (const { start, end } of gone)
    for (const [at, message] of body.slice(start, end).entries())
      leftOut.set(numbers[start + at] ?? 0, message)
  return {
    messages: placeSummary({ head, summary, tail }),
    leftOut,
    description: `left out ${leftOut.size}, kept ${tail.length}`,
  }
}

function firstNumber({ ranges }: IndexEntry): number {
  return ranges[0]?.from ?? 0
}
