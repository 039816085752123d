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
  readonly needles?: number
  readonly results?: ResultLength
}

/** Tool results are log-normal in length: the median in words, and the factor of one standard deviation. */
export interface ResultLength {
  readonly medianWords: number
  readonly spread: number
}

/** 2 KB a message: median 250 tokens, 99th percentile 3K. */
export const SHORT_RESULTS: ResultLength = { medianWords: 180, spread: 2.9 }
/** 3.5 KB a message: median 400 tokens, 99th percentile 15K, as in recorded sessions that read whole files. */
export const LONG_RESULTS: ResultLength = { medianWords: 240, spread: 4.75 }

/** Words of a system prompt, of a user message, of a call's arguments. A word is about 1.3 tokens. */
const SYSTEM_WORDS = 2300
const USER_WORDS = [40, 230] as const
const ARGUMENT_WORDS = [40, 380] as const
const RESULT_MAX_WORDS = 38_000

export interface WorkloadStream {
  readonly messages: Iterable<Message>
  readonly needles: readonly Needle[]
}

export function generateConversation(input: WorkloadInput): Workload {
  const { messages, needles } = streamConversation(input)
  return { messages: [...messages], needles }
}

/** A coding conversation: turns of one to six rounds of one to four parallel calls, and an answer. Read it once. */
export function streamConversation(input: WorkloadInput): WorkloadStream {
  const random = createRandom(input.seed)
  const vocabulary = createVocabulary(random, 30_000)
  const needles = createNeedles(random, input.needles ?? 0)
  return { messages: writeMessages(input, { random, vocabulary, needles }), needles }
}

function* writeMessages(
  { messages: count, results = SHORT_RESULTS }: WorkloadInput,
  { random, vocabulary, needles }: { random: Random; vocabulary: Vocabulary; needles: readonly Needle[] },
): Generator<Message, undefined> {
  let written = 0
  const write = (message: Message): Message => {
    written++
    return freezeMessage(message)
  }
  const planting = {
    user: createPlanting(needles, 'user', random),
    tool: createPlanting(needles, 'tool', random),
  }
  const plant = (text: string, where: 'user' | 'tool') => planting[where](text, written / count)

  yield write({ role: 'system', content: `You are a coding agent. ${vocabulary.words(SYSTEM_WORDS)}` })
  while (written < count) {
    yield write({ role: 'user', content: plant(vocabulary.words(random.int(...USER_WORDS)), 'user') })
    for (let round = random.int(1, 6); round > 0; round--) {
      const calls = Array.from({ length: random.int(1, 4) }, (_, index) =>
        createCall(`c${written}-${index}`, random, vocabulary),
      )
      yield write({ role: 'assistant', content: vocabulary.words(random.int(5, 40)), tool_calls: calls })
      for (const { id } of calls) {
        const content = plant(createResult(random, vocabulary, results), 'tool')
        yield write({ role: 'tool', tool_call_id: id, content })
      }
    }
    yield write({ role: 'assistant', content: vocabulary.words(random.int(20, 200)) })
  }
}

function createPlanting(needles: readonly Needle[], where: 'user' | 'tool', random: Random) {
  const mine = needles.filter((needle) => needle.where === where)
  let planted = 0
  return (text: string, progress: number): string => {
    const due = mine.slice(planted, Math.ceil(progress * mine.length))
    planted += due.length
    return due.reduce((result, { sentence }) => insertAtWord(result, sentence, random), text)
  }
}

export function insertAtWord(text: string, inserted: string, random: Random): string {
  const at = text.indexOf(' ', random.int(0, text.length))
  return at === -1 ? `${text} ${inserted}` : `${text.slice(0, at)} ${inserted}${text.slice(at)}`
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

function createResult(random: Random, vocabulary: Vocabulary, { medianWords, spread }: ResultLength): string {
  const words = Math.min(RESULT_MAX_WORDS, Math.max(5, Math.round(random.logNormal(medianWords, spread))))
  const path = vocabulary.path()
  const lines: string[] = [path]
  for (let left = words, line = random.int(1, 900); left > 0; left -= 12, line++)
    lines.push(`${line}: ${vocabulary.words(Math.min(12, left))}`)
  return lines.join('\n')
}
