import { type FunctionToolCall, freezeMessage, type Message, type ToolCall } from '@palimpsest/core'
import { createRandom, createVocabulary, type Random, type Vocabulary } from './vocabulary.ts'

interface WorkloadInput {
  readonly seed: number
  readonly messages: number
}

const SYSTEM_WORDS = 2300
const USER_WORDS = [40, 230] as const
const ARGUMENT_WORDS = [40, 380] as const
const RESULT_MAX_WORDS = 38_000

export function generateConversation({ seed, messages: count }: WorkloadInput): readonly Message[] {
  const random = createRandom(seed)
  const vocabulary = createVocabulary(random, 30_000)
  const messages: Message[] = []
  const write = (message: Message) => void messages.push(freezeMessage(message))
  write({ role: 'system', content: `You are a coding agent. ${vocabulary.words(SYSTEM_WORDS)}` })
  while (messages.length < count) {
    write({ role: 'user', content: vocabulary.words(random.int(...USER_WORDS)) })
    for (let round = random.int(1, 6); round > 0; round--) {
      const written = messages.length
      const calls = Array.from({ length: random.int(1, 4) }, (_, index) =>
        createCall(`c${written}-${index}`, random, vocabulary),
      )
      write({ role: 'assistant', content: vocabulary.words(random.int(5, 40)), tool_calls: calls })
      for (const { id } of calls)
        write({ role: 'tool', tool_call_id: id, content: createResult(random, vocabulary) })
    }
    write({ role: 'assistant', content: vocabulary.words(random.int(20, 200)) })
  }
  return messages
}

function createCall(id: string, random: Random, vocabulary: Vocabulary): ToolCall {
  const name = random.pick(['read', 'search', 'edit', 'run'])
  const text = vocabulary.words(random.int(...ARGUMENT_WORDS))
  return functionCall(id, name, { path: vocabulary.path(), text })
}

export function functionCall(id: string, name: string, input: unknown): FunctionToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** Log-normal length: median 250 tokens, 99th percentile 3,000. */
const RESULT_WORDS = { median: 180, spread: 2.9 }

function createResult(random: Random, vocabulary: Vocabulary): string {
  const drawn = Math.round(random.logNormal(RESULT_WORDS.median, RESULT_WORDS.spread))
  const words = Math.min(RESULT_MAX_WORDS, Math.max(5, drawn))
  const first = random.int(1, 900)
  const lines = [vocabulary.path()]
  for (let left = words; left > 0; left -= 12)
    lines.push(`${first + lines.length}: ${vocabulary.words(Math.min(12, left))}`)
  return lines.join('\n')
}
