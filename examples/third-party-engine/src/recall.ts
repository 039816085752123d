import {
  errorText,
  type Message,
  messageText,
  type TokenCounter,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { createRelatedness } from './relatedness.ts'
import { messageTerms, textTerms } from './terms.ts'

export const RECALL_TOOL: ToolSchema = {
  type: 'function',
  function: {
    name: 'topic_recall',
    description: 'Reads messages that were left out of this conversation: by their numbers, or by words.',
    parameters: {
      type: 'object',
      properties: {
        from: { type: 'integer', description: 'Number of the first message' },
        to: { type: 'integer', description: 'Number of the last message. Default: from' },
        query: { type: 'string', description: 'Words, paths or names to look for, instead of numbers' },
      },
    },
  },
}

/** More is no question. */
const MAX_QUERY_CHARACTERS = 1_000
/** The usual rule of thumb. */
const CHARACTERS_PER_TOKEN = 4

type LeftOut = readonly (readonly [number: number, message: Message])[]

export interface RecallInput {
  /** The messages that were left out, by number in the conversation. */
  readonly leftOut: ReadonlyMap<number, Message>
  /** About what the answer may cost, in tokens. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/** Answers a call of the tool with JSON. Never throws: what is wrong with the arguments comes back as `{"error"}`. */
export function recall(args: unknown, { leftOut, maxTokens, tokens }: RecallInput): string {
  try {
    const found = find(args, [...leftOut])
    let left = maxTokens
    const end = found.findIndex(([, message], index) => {
      left -= tokens.countMessage(message)
      return left < 0 && index > 0
    })
    const shown = end === -1 ? found : found.slice(0, end)
    const messages = shown.toSorted(byNumber).map((entry) => show(entry, maxTokens * CHARACTERS_PER_TOKEN))
    return JSON.stringify({ messages, more: found.length - shown.length })
  } catch (error) {
    return JSON.stringify({ error: errorText(error) })
  }
}

function find(args: unknown, leftOut: LeftOut): LeftOut {
  const { query, from, to = from } = Object(args) as Record<string, unknown>
  if (typeof query === 'string' && /\S/.test(query) && query.length <= MAX_QUERY_CHARACTERS)
    return search(query, leftOut)
  if (query === undefined && Number.isSafeInteger(from) && Number.isSafeInteger(to))
    return leftOut.filter(([number]) => number >= Number(from) && number <= Number(to)).sort(byNumber)
  throw new TypeError(
    `give {"from": 12, "to": 20} with numbers of messages, or {"query": "…"} of at most ${MAX_QUERY_CHARACTERS} characters`,
  )
}

/** The best matches first. */
function search(query: string, leftOut: LeftOut): LeftOut {
  const { rarity, score } = createRelatedness(leftOut.map(([, message]) => messageTerms(message)))
  const topic = new Map([...textTerms(query).keys()].map((term) => [term, rarity(term)]))
  return leftOut
    .map((entry) => ({ entry, score: score(messageTerms(entry[1]), topic) }))
    .filter((match) => match.score > 0)
    .sort((a, b) => b.score - a.score || byNumber(a.entry, b.entry))
    .map(({ entry }) => entry)
}

function byNumber([a]: LeftOut[number], [b]: LeftOut[number]): number {
  return a - b
}

/** A message as its reader needs it. One that is too long for the answer by itself loses its end, and says so. */
function show([number, message]: LeftOut[number], maxCharacters: number): object {
  const text = messageText(message)
  const calls = toolCallsOf(message).map((call) =>
    `${toolCallName(call)} ${toolCallInput(call)}`.slice(0, maxCharacters),
  )
  return {
    number,
    role: message.role,
    text: text.slice(0, maxCharacters),
    ...(text.length > maxCharacters && { missingCharacters: text.length - maxCharacters }),
    ...(calls.length > 0 && { calls }),
  }
}
