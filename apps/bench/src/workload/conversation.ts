import { freezeMessage, type Message, type ToolCall } from '@palimpsest/core'
import { createNeedles, type Needle } from './needles.ts'
import { createRandom, type Random } from './random.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

export interface Workload {
  readonly messages: readonly Message[]
  readonly needles: readonly Needle[]
}

export interface WorkloadInput {
  readonly seed: number
  /** At least so many messages; the last turn is finished. */
  readonly messages: number
  /** Facts planted along the way. Default 0. */
  readonly needles?: number
}

/** Words of a system prompt, of a user message, of a call's arguments. A word is about 1.3 tokens. */
const SYSTEM_WORDS = 2300
const USER_WORDS = [40, 230] as const
const ARGUMENT_WORDS = [40, 380] as const
/** Tool results are log-normal in length: the median in words, and the factor of one standard deviation. */
const RESULT_MEDIAN_WORDS = 180
const RESULT_SPREAD = 2.9
const RESULT_MAX_WORDS = 38_000

/**
 * A generated coding conversation: turns of a user message, one to six rounds of one to four parallel calls with
 * their results, and an answer. Seeded: the same input gives the same conversation.
 */
export function generateConversation({
  seed,
  messages: count,
  needles: needleCount = 0,
}: WorkloadInput): Workload {
  const random = createRandom(seed)
  const vocabulary = createVocabulary(random, 30_000)
  const needles = createNeedles(random, needleCount)
  const waiting = {
    user: needles.filter(({ where }) => where === 'user'),
    tool: needles.filter(({ where }) => where === 'tool'),
  }
  const messages: Message[] = [
    { role: 'system', content: `You are a coding agent. ${vocabulary.words(SYSTEM_WORDS)}` },
  ]

  /** Puts in the facts whose time has come: they are spread evenly over the conversation. */
  const plant = (text: string, where: 'user' | 'tool'): string => {
    const all = needles.filter((needle) => needle.where === where).length
    const due = Math.ceil((messages.length / count) * all) - (all - waiting[where].length)
    return waiting[where].splice(0, Math.max(0, due)).reduce((planted, { sentence }) => {
      const at = planted.indexOf(' ', random.int(0, planted.length))
      return at === -1 ? `${planted} ${sentence}` : `${planted.slice(0, at)} ${sentence}${planted.slice(at)}`
    }, text)
  }

  while (messages.length < count) {
    messages.push({ role: 'user', content: plant(vocabulary.words(random.int(...USER_WORDS)), 'user') })
    for (let round = random.int(1, 6); round > 0; round--) {
      const calls = Array.from({ length: random.int(1, 4) }, (_, index) =>
        createCall(`c${messages.length}-${index}`, random, vocabulary),
      )
      messages.push({ role: 'assistant', content: vocabulary.words(random.int(5, 40)), tool_calls: calls })
      for (const { id } of calls) {
        messages.push({
          role: 'tool',
          tool_call_id: id,
          content: plant(createResult(random, vocabulary), 'tool'),
        })
      }
    }
    messages.push({ role: 'assistant', content: vocabulary.words(random.int(20, 200)) })
  }
  return { messages: messages.map(freezeMessage), needles }
}

function createCall(id: string, random: Random, vocabulary: Vocabulary): ToolCall {
  const name = random.pick(['read', 'search', 'edit', 'run'])
  const text = vocabulary.words(random.int(...ARGUMENT_WORDS))
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify({ path: vocabulary.path(), text }) },
  }
}

function createResult(random: Random, vocabulary: Vocabulary): string {
  const words = Math.min(
    RESULT_MAX_WORDS,
    Math.max(5, Math.round(random.logNormal(RESULT_MEDIAN_WORDS, RESULT_SPREAD))),
  )
  const path = vocabulary.path()
  const lines: string[] = [path]
  for (let left = words, line = random.int(1, 900); left > 0; left -= 12, line++)
    lines.push(`${line}: ${vocabulary.words(Math.min(12, left))}`)
  return lines.join('\n')
}
