import { type FunctionToolCall, freezeMessage, type Message, type ToolCall } from '@palimpsest/core'
import { createRandom, createVocabulary, type Random, type Vocabulary } from './vocabulary.ts'

type Workload = { readonly messages: readonly Message[]; readonly needles: readonly Needle[] }

interface WorkloadInput {
  readonly seed: number
  /** At least so many messages; the last turn is finished. */
  readonly messages: number
  readonly needles?: number
  readonly results?: ResultLength
}

/** Tool results are log-normal in length: the median in words, and the factor of one standard deviation. */
type ResultLength = { readonly medianWords: number; readonly spread: number }

/** 2 KB a message: median 250 tokens, 99th percentile 3K. */
export const SHORT_RESULTS: ResultLength = { medianWords: 180, spread: 2.9 }
/** 3.5 KB a message: median 400 tokens, 99th percentile 15K, as in recorded sessions that read whole files. */
export const LONG_RESULTS: ResultLength = { medianWords: 240, spread: 4.75 }

/** Words of a system prompt, of a user message, of a call's arguments. A word is about 1.3 tokens. */
const SYSTEM_WORDS = 2300
const USER_WORDS = [40, 230] as const
const ARGUMENT_WORDS = [40, 380] as const
const RESULT_MAX_WORDS = 38_000

type WorkloadStream = { readonly messages: Iterable<Message>; readonly needles: readonly Needle[] }

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

function insertAtWord(text: string, inserted: string, random: Random): string {
  const at = text.indexOf(' ', random.int(0, text.length))
  return at === -1 ? `${text} ${inserted}` : `${text.slice(0, at)} ${inserted}${text.slice(at)}`
}

function createCall(id: string, random: Random, vocabulary: Vocabulary): ToolCall {
  const name = random.pick(['read', 'search', 'edit', 'run'])
  const text = vocabulary.words(random.int(...ARGUMENT_WORDS))
  return functionCall(id, name, { path: vocabulary.path(), text })
}

export function functionCall(id: string, name: string, input: unknown): FunctionToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** Words in numbered lines of a dozen each. */
export function numbered(vocabulary: Vocabulary, words: number, first = 1): string[] {
  const lines: string[] = []
  for (let left = words; left > 0; left -= 12)
    lines.push(`${first + lines.length}: ${vocabulary.words(Math.min(12, left))}`)
  return lines
}

function createResult(random: Random, vocabulary: Vocabulary, { medianWords, spread }: ResultLength): string {
  const words = Math.min(RESULT_MAX_WORDS, Math.max(5, Math.round(random.logNormal(medianWords, spread))))
  const path = vocabulary.path()
  return [path, ...numbered(vocabulary, words, random.int(1, 900))].join('\n')
}

export interface Needle {
  readonly key: string
  readonly value: string
  readonly where: 'user' | 'tool'
  readonly sentence: string
}

/** Nothing else in a conversation reads like this. */
const NEEDLE_START = 'The snapshot path of'

/** Facts with values of four kinds: hexadecimal, number, version, path. Half go to users, half to tool results. */
function createNeedles(random: Random, count: number): Needle[] {
  return Array.from({ length: count }, (_, index) => {
    const key = `K${index}${random.pick(['alder', 'birch', 'cedar', 'elm', 'fir'])}`
    const value = [
      () => random.int(0x10000000, 0xffffffff).toString(16),
      () => String(random.int(100_000, 999_999)),
      () => `${random.int(1, 30)}.${random.int(0, 40)}.${random.int(100, 999)}`,
      () => `/var/data/${key.toLowerCase()}/${random.int(1000, 9999)}.db`,
    ][index % 4]?.() as string
    const where = index % 8 < 4 ? 'user' : 'tool'
    return { key, value, where, sentence: `${NEEDLE_START} ${key} is ${value}.` }
  })
}

export function holdsNeedle(text: string): boolean {
  return text.includes(NEEDLE_START)
}

export const COMMON_WORD = 'cobalt'
const COMMON_SHARE = 0.4
export const RARE_CJK = '紫檀快照'
export const RARE_CJK_HITS = 5

const CJK_SHARE = 0.03
const CJK_CHARACTERS =
  '请检查这个文件然后运行测试看结果是否正确如果有错误就修复它并且说明原因谢谢我们需要更新配置'

/** Puts in what searches are measured with, except where a fact stands. Its own generator leaves the conversation as it is. */
export function* plantSearchWords(
  messages: Iterable<Message>,
  { seed, messages: count }: { readonly seed: number; readonly messages: number },
): Generator<Message, undefined> {
  const random = createRandom(seed ^ 0x5eed)
  let index = 0
  let rare = 0
  for (const message of messages) {
    let text = typeof message.content === 'string' ? message.content : undefined
    if (text !== undefined && message.role !== 'system' && !holdsNeedle(text)) {
      if (random.next() < COMMON_SHARE) text = insertAtWord(text, COMMON_WORD, random)
      if (message.role === 'user') {
        if (random.next() < CJK_SHARE) text = insertAtWord(text, cjk(random), random)
        if (rare < RARE_CJK_HITS && index >= (rare * count) / RARE_CJK_HITS) {
          text = insertAtWord(text, `${cjk(random)}${RARE_CJK}${cjk(random)}`, random)
          rare++
        }
      }
    }
    index++
    yield text === message.content ? message : freezeMessage({ ...message, content: text } as Message)
  }
}

function cjk(random: Random): string {
  return Array.from({ length: random.int(8, 40) }, () => random.pick([...CJK_CHARACTERS])).join('')
}
