import { countMessages, isInstruction, type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { tailWithin } from '../arms/bounds.ts'
import { identifiersOf } from '../recall/identifiers.ts'
import { passedIn } from '../recall/whole-word.ts'

const CLIP = 300

interface SimpleProjection {
  readonly name: string
  readonly description: string
  /** Of the room that the system prompt leaves: what users' lines and names may take. The raw end has the rest. */
  readonly users: number
  readonly names: number
}

const simple = (name: string, users: number, names: number, description: string): SimpleProjection => ({
  ...{ name, description, users, names },
})

export const SIMPLE_PROJECTIONS: readonly SimpleProjection[] = [
  simple(
    'simple',
    0.15,
    0.2,
    "the user's messages on a line each (15 %), names by use and recency (20 %), the raw end in the rest",
  ),
  simple('users + tail', 1, 0, "all of the user's messages on a line each, the raw end in the rest"),
  simple(
    'names + scrap',
    0,
    0.8,
    'a list of names in 80 % of the room: a measure that it wins is no headline',
  ),
  simple('tail', 0, 0, 'the raw end of the transcript'),
]

export function projectSimply(
  { users, names }: SimpleProjection,
  messages: readonly Message[],
  size: number,
  tokens: TokenCounter,
): Message[] {
  const system = messages.filter(isInstruction)
  const room = size - countMessages(tokens, system)
  const said = messages.filter(({ role }) => role === 'user').map(lineOf)
  const lines = fitting(said.toReversed(), room * users, tokens).toReversed()
  const listed = fitting(rankedNames(messages), room * names, tokens)
  if (lines.length + listed.length === 0) return tailWithin(messages, size, tokens)
  const note: Message = {
    role: 'user',
    content: `Said by the user so far:\n${lines.join('\n')}\n\nNames: ${listed.join(', ')}`,
  }
  const tail = tailWithin(messages, size - tokens.countMessage(note), tokens)
  return [...tail.slice(0, system.length), note, ...tail.slice(system.length)]
}

const lineOf = (message: Message): string =>
  `- ${messageText(message).replace(/\s+/g, ' ').trim().slice(0, CLIP)}`

/** Weight of a mention in a tool's output, beside one by the user or the assistant. */
const OUTPUT_WEIGHT = 0.1

const known = new WeakMap<Message, ReadonlySet<string>>()

function namesOf(message: Message): ReadonlySet<string> {
  const names = known.get(message) ?? identifiersOf(messageText(message), passedIn(message))
  known.set(message, names)
  return names
}

export function rankedNames(messages: readonly Message[]): string[] {
  const scores = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    const weight = message.role === 'tool' ? OUTPUT_WEIGHT : 1
    for (const name of namesOf(message))
      scores.set(name, (scores.get(name) ?? 0) + weight / Math.sqrt(messages.length - index))
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([name]) => name)
}

/** The first of the texts, on a line each, that fit into the room together. */
export function fitting(texts: readonly string[], room: number, tokens: TokenCounter): string[] {
  let left = room
  const end = texts.findIndex((text) => {
    left -= tokens.countText(text) + 1
    return left < 0
  })
  return end < 0 ? [...texts] : texts.slice(0, end)
}
