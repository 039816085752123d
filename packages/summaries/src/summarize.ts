import {
  abortable,
  type Completion,
  type CompletionModel,
  type LastRequest,
  type Message,
  ModelError,
  messageText,
  redactSecrets,
  sliceCharacters,
  type TokenCounter,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { chunkTexts } from './chunk-messages.ts'
import { escapeTags } from './escape-tags.ts'
import {
  SUMMARY_SYSTEM_PROMPT,
  type SummaryMessage,
  type SummaryRequest,
  shortenRequest,
  summaryMessage,
  summaryRequest,
} from './summary-request.ts'
import { clip, oneLine } from './text.ts'
import { withoutThinking } from './without-thinking.ts'

export interface SummarizeInput extends Omit<SummaryRequest, 'conversation'> {
  readonly model: CompletionModel
  /** Texts from `readMaterial`, or records; redacted and in order. */
  readonly texts: readonly string[]
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
}

export const LENGTH_SLACK = 2
/** Retries with smaller chunks if the summariser's window is unknown or smaller than stated. */
const MAX_SHRINKS = 3
const ANSWER_SHARE = 1 / 8
/** Minimum tokens: a shorter record cannot hold its sections, and a shorter conversation is not worth a request. */
const LEAST_TOKENS = 256

/**
 * Has a model write a record. A conversation larger than the model's window is read in chunks, each of which updates
 * the record. An answer of more than twice the requested length is shortened in one more request. No output limit is
 * sent, and a truncated record is a failure. Secrets in focus and memory are redacted, and a long memory is cut.
 * Rejects with a `ModelError` or the signal's reason.
 */
export async function summarize(given: SummarizeInput): Promise<string> {
  const { focusTopic, memoryContext } = given
  const input = {
    ...given,
    focusTopic: focusTopic && redactSecrets(focusTopic),
    memoryContext: memoryContext && boundMemory(redactSecrets(memoryContext)),
  }
  let window = input.model.contextLength ?? Number.POSITIVE_INFINITY
  for (let attempt = 0; ; attempt++) {
    try {
      return await summarizeWithin(input, window)
    } catch (error) {
      if (!ModelError.isInstance(error) || error.kind !== 'context-overflow' || attempt === MAX_SHRINKS)
        throw error
      const known = Number.isFinite(window)
        ? window
        : input.texts.reduce((sum, text) => sum + input.tokens.countText(text), 0)
      window = Math.min(error.contextLength ?? known, Math.floor(known / 2))
    }
  }
}

async function summarizeWithin(input: SummarizeInput, window: number): Promise<string> {
  const { texts, tokens, previousSummary } = input
  const room = summarizerRoom(window, instructionTokens(input), input.maxTokens)
  if (room.conversation === 0)
    throw new ModelError(
      'invalid-request',
      `the summariser's window of ${window} tokens leaves no room for a conversation; it takes one of ${room.leastWindow}`,
    )
  const ask = { ...input, maxTokens: room.answer }
  let { previousStays } = input
  // A record that is too long for the window is read in pieces, like the conversation. A record that stays unchanged
  // need not be read in full.
  const isLong = !previousStays && tokens.countText(previousSummary ?? '') > room.record
  let record = isLong ? undefined : previousSummary && trimRecord(previousSummary, room.record, tokens)
  const read =
    isLong && previousSummary ? [`[the record so far]\n${escapeTags(previousSummary)}`, ...texts] : texts
  for (const conversation of await chunkTexts(read, room.conversation, tokens)) {
    const request = { ...ask, conversation, previousSummary: record, previousStays }
    record = await askInLength(input, summaryRequest(request), room.answer)
    previousStays = false
  }
  return record ?? ''
}

export function instructionTokens(
  input: Pick<SummarizeInput, 'tokens'> & Omit<SummaryRequest, 'conversation'>,
): number {
  const empty = summaryRequest({ ...input, conversation: '', previousSummary: '…' })
  return input.tokens.countText(SUMMARY_SYSTEM_PROMPT) + input.tokens.countText(empty)
}

export interface SummarizerRoom {
  readonly answer: number
  readonly record: number
  readonly conversation: number
  readonly leastWindow: number
}

/**
 * Divides a summariser's window: the previous record and the answer may be twice the requested length; the conversation
 * gets the rest.
 */
export function summarizerRoom(window: number, instructions: number, maxTokens: number): SummarizerRoom {
  const free = window - instructions
  const least = Math.min(maxTokens, LEAST_TOKENS)
  const answer = Math.min(maxTokens, Math.max(least, Math.floor(free * ANSWER_SHARE)))
  const record = answer * LENGTH_SLACK
  const leastFree = 2 * LENGTH_SLACK * least + LEAST_TOKENS
  return {
    answer,
    record,
    conversation: free >= leastFree ? free - 2 * record : 0,
    leastWindow: instructions + leastFree,
  }
}

async function askInLength(input: SummarizeInput, prompt: string, maxTokens: number): Promise<string> {
  return inLength(input, await askForRecord(input.model, prompt, input.signal), maxTokens)
}

async function inLength(
  { model, tokens, signal }: Pick<SummarizeInput, 'model' | 'tokens' | 'signal'>,
  record: string,
  maxTokens: number,
): Promise<string> {
  const most = maxTokens * LENGTH_SLACK
  if (tokens.countText(record) <= most) return record
  const shorter = await askForRecord(model, shortenRequest(record, maxTokens), signal)
  return trimRecord(shorter, most, tokens)
}

export interface SummarizeHereInput extends Omit<SummaryMessage, 'upTo'> {
  readonly model: CompletionModel
  readonly lastRequest: LastRequest
  readonly kept: Message | undefined
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
}

const KEPT_CHARACTERS = 300

/**
 * A record by the model of the session: it gets its last prompt, which its provider has cached, with the request as one
 * more message. Undefined if the answer is not a record. Rejects only with the signal's reason.
 */
export async function summarizeHere(input: SummarizeHereInput): Promise<string | undefined> {
  const { model, lastRequest, kept, signal, focusTopic, memoryContext } = input
  const upTo = kept && redactSecrets(beginningOf(kept))
  const content = summaryMessage({
    ...input,
    upTo,
    focusTopic: focusTopic && redactSecrets(focusTopic),
    memoryContext: memoryContext && boundMemory(redactSecrets(memoryContext)),
  })
  try {
    const messages = [...lastRequest.messages, { role: 'user' as const, content }]
    const asked = model.chat?.({ ...lastRequest, messages, ...(signal && { signal }) })
    const answer = await abortable(Promise.resolve(asked), signal)
    if (answer === undefined || toolCallsOf(answer.message).length > 0) return undefined
    const { finishReason, message } = answer
    return await inLength(input, readRecord({ text: messageText(message), finishReason }), input.maxTokens)
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

function beginningOf(message: Message): string {
  const [call] = toolCallsOf(message)
  const text =
    messageText(message) || (call && `${toolCallName(call)} ${JSON.stringify(toolCallInput(call))}`) || ''
  return clip(oneLine(text), KEPT_CHARACTERS)
}

const HAS_SECTION = /^#{1,3} .+\n\s*(?!#)\S/m

async function askForRecord(
  model: CompletionModel,
  prompt: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted()
  const answer = model.complete({ system: SUMMARY_SYSTEM_PROMPT, prompt, ...(signal && { signal }) })
  return readRecord(await abortable(answer, signal))
}

/** Only a valid record may replace a conversation. */
function readRecord({ text, finishReason }: Completion): string {
  if (finishReason === 'length')
    throw new ModelError('truncated', 'the summary was cut off at the output limit')
  if (finishReason === 'content-filter')
    throw new ModelError('blocked', 'the summary was blocked by a filter')
  if (typeof text !== 'string')
    throw new ModelError('unknown', 'the summariser answered with something that is not text')
  const record = redactSecrets(withoutThinking(text)).trim()
  if (record === '') throw new ModelError('empty', 'the summary is empty')
  if (record.includes('</conversation>') || !HAS_SECTION.test(record))
    throw new ModelError('unknown', 'the summariser did not answer with a record in sections')
  return record
}

/** Characters of the memory system's text that are passed on; a longer text keeps its beginning and its end. */
const MEMORY_CHARACTERS = { whole: 6_000, head: 4_000, tail: 1_500 }

function boundMemory(text: string): string {
  const { whole, head, tail } = MEMORY_CHARACTERS
  return text.length <= whole
    ? text
    : `${sliceCharacters(text, 0, head)}\n[…]\n${sliceCharacters(text, text.length - tail, text.length)}`
}

const MARK_TOKENS = 10

/**
 * Cuts a record to `maxTokens` at line ends. Each section keeps its share of first lines and says how many are missing.
 * A line that is too long is cut after a sentence.
 */
function trimRecord(text: string, maxTokens: number, tokens: TokenCounter): string {
  const size = tokens.countText(text)
  if (size <= maxTokens) return text
  return text
    .split(/\n(?=## )/)
    .map((section) => trimSection(section, (tokens.countText(section) * maxTokens) / size, tokens))
    .join('\n')
}

function trimSection(section: string, maxTokens: number, tokens: TokenCounter): string {
  const lines = section.split('\n')
  const kept: string[] = []
  let room = Math.max(0, maxTokens - MARK_TOKENS)
  for (const line of lines) {
    const cost = tokens.countText(line) + 1
    if (cost > room) {
      kept.push(...sentencesWithin(line, room, tokens))
      break
    }
    room -= cost
    kept.push(line)
  }
  const missing = lines.length - kept.length
  return missing === 0 ? kept.join('\n') : [...kept, `- … ${missing} lines left out`].join('\n')
}

function sentencesWithin(line: string, maxTokens: number, tokens: TokenCounter): string[] {
  let text = ''
  for (const sentence of line.split(/(?<=[.!?;。！？])\s+/)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (tokens.countText(longer) > maxTokens) break
    text = longer
  }
  return text === '' ? [] : [`${text} …`]
}
