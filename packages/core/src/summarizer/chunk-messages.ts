import { answeredCalls } from '../messages/tool-transactions.ts'
import { createPause, inSlices, type Sliced } from '../session/pause.ts'
import type { Message, ToolCall } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { cutText } from './cut-text.ts'
import { serializeMessage } from './serialize-message.ts'

/** Stands before the rest of a message that began in the chunk before. */
const CONTINUED = '[continued] '
/** Characters of messages that are counted together: few enough for a short slice, and so many that rounding adds nothing. */
const PIECE_CHARACTERS = 8_192
/** Messages that are serialised before anything else has a turn. */
const SLICE = 1_000

/** Whether a tool's result says that its call failed; `call` is the one it answers, if it is there. */
export type IsFailed = (result: Message, call: ToolCall | undefined) => boolean

export interface ChunkInput {
  readonly messages: readonly Message[]
  /** The largest chunk, in tokens; infinite for one that takes everything. */
  readonly maxTokens: number
  /** Tokens by which the first chunk is smaller. */
  readonly lessAtFirst: number
  readonly tokens: TokenCounter
  readonly isFailed: IsFailed
}

/**
 * Serialises messages into chunks, in order. Nothing is left out, and there is at most one chunk more than the length
 * divided by `maxTokens`. A message goes on to the next chunk whole as long as the room that this leaves empty adds up to
 * less than that one chunk; otherwise it is cut where the chunk ends. Counts in slices.
 */
export async function chunkMessages(input: ChunkInput): Promise<string[]> {
  const { messages, maxTokens, lessAtFirst, tokens, isFailed } = input
  const texts = await inSlices(serialize(messages, isFailed))
  // Put together without a copy: who sends the text makes one anyway.
  const whole = texts.reduce((all, text, index) => (index === 0 ? text : `${all}\n${text}`), '')
  if (texts.length === 0 || !Number.isFinite(maxTokens)) return texts.length === 0 ? [] : [whole]
  const starts = startsOf(texts)
  const sizeOf = await createMeasure(whole, starts, tokens)
  const total = sizeOf(0, whole.length) + lessAtFirst
  if (total <= maxTokens) return [whole]

  const room = maxTokens - tokens.countText(CONTINUED)
  const most = Math.ceil(total / maxTokens) + 1
  const halfOfSpare = Math.max(0, Math.floor((room - total / most) / 2))
  const chunks: string[] = []
  let label = ''
  let left = total
  for (let from = 0; from < whole.length; ) {
    const cut = cutText({
      text: whole.slice(from),
      size: left,
      maxTokens: from === 0 ? room - lessAtFirst : room,
      slack: halfOfSpare,
      sizeTo: (at) => sizeOf(from, from + at),
    })
    const end = from + Math.max(1, cut.at)
    const start = end === whole.length ? end + 1 : (starts.findLast((one) => one <= end + 1) ?? 0)
    const isWhole = start > from + 1 && sizeOf(start, end) <= halfOfSpare
    // The line break before a message belongs to neither chunk.
    chunks.push(label + whole.slice(from, isWhole ? start - 1 : end))
    from = isWhole ? start : end
    label = isWhole ? '' : CONTINUED
    left -= cut.size
  }
  return chunks
}

/** Where each text begins when they are joined by line breaks. */
function startsOf(texts: readonly string[]): number[] {
  let next = 0
  return texts.map((text) => {
    const start = next
    next += text.length + 1
    return start
  })
}

/** Tokens of any part of a text. Each piece of it is counted once; of a part, only what lies beside whole pieces. */
async function createMeasure(
  text: string,
  starts: readonly number[],
  tokens: TokenCounter,
): Promise<(from: number, to: number) => number> {
  const pause = createPause()
  const places = [0]
  const sums = [0]
  for (const end of [...starts, text.length]) {
    const begin = places.at(-1) ?? 0
    if (end - begin < PIECE_CHARACTERS && end < text.length) continue
    sums.push((sums.at(-1) ?? 0) + tokens.countText(text.slice(begin, end)))
    places.push(end)
    await pause()
  }
  return (from, to) => {
    const first = places.findIndex((place) => place >= from)
    const last = places.findLastIndex((place) => place <= to)
    if (first >= last) return tokens.countText(text.slice(from, to))
    const whole = (sums[last] ?? 0) - (sums[first] ?? 0)
    return (
      tokens.countText(text.slice(from, places[first])) +
      whole +
      tokens.countText(text.slice(places[last], to))
    )
  }
}

function* serialize(messages: readonly Message[], isFailed: IsFailed): Sliced<string[]> {
  const calls = answeredCalls(messages)
  const texts: string[] = []
  for (const [index, message] of messages.entries()) {
    if (index % SLICE === 0) yield
    texts.push(serializeMessage(message, { failed: isFailed(message, calls.get(message)) }))
  }
  yield
  return texts
}
