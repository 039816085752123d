import { hash } from 'node:crypto'
import {
  atOnce,
  inSlices,
  isInstruction,
  type Message,
  messageText,
  type Sliced,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { isNestedDeep, parseJson } from '../parse-json.ts'
import { withoutMark } from './cache-marks.ts'

const HASH_BYTES = 12

/** The hashes by which a client's list is recognised: one per message, over everything up to it. */
export interface PrefixHashes {
  readonly root: string
  readonly hashes: readonly string[]
  /** One per message, over the message alone. */
  readonly own: readonly string[]
  /** Indexes in `hashes` of user messages, which start turns. */
  readonly users: readonly number[]
  /** Index in `hashes` of the last answer; -1 without one. */
  readonly answer: number
}

export const EMPTY_PREFIX: PrefixHashes = { root: '', hashes: [], own: [], users: [], answer: -1 }

export function prefixOf(messages: readonly Message[]): Promise<PrefixHashes> {
  const said = messages.slice(instructionsOf(messages).length)
  return inSlices(extended({ ...EMPTY_PREFIX, root: rootOf(messages) }, said))
}

/** Dates and times in system prompts are ignored; empty without a system prompt. */
export function rootOf(messages: readonly Message[]): string {
  const prompts = instructionsOf(messages).map((message) => withoutTimes(messageText(message)))
  return prompts.length === 0 ? '' : digest(JSON.stringify(prompts))
}

function instructionsOf(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first === -1 ? messages : messages.slice(0, first)
}

export function extendPrefix(before: PrefixHashes, messages: readonly Message[]): PrefixHashes {
  return atOnce(extended(before, messages))
}

function* extended({ root, ...before }: PrefixHashes, messages: readonly Message[]): Sliced<PrefixHashes> {
  const hashes = [...before.hashes]
  const own = [...before.own]
  const users = [...before.users]
  let { answer } = before
  for (const message of messages) {
    if (message.role === 'user') users.push(hashes.length)
    if (message.role === 'assistant') answer = hashes.length
    const hash = digest(canonical(message))
    own.push(hash)
    hashes.push(digest(`${hashes.at(-1) ?? root}\n${hash}`))
    yield
  }
  return { root, hashes, own, users, answer }
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  // Each hash covers all messages before it, so the first difference can be found by binary search.
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (a[middle - 1] === b[middle - 1]) low = middle
    else high = middle - 1
  }
  return low
}

export function digest(text: string): string {
  // Not a slice of the whole text, which would keep it in memory.
  return hash('sha256', text, 'buffer').toString('base64url', 0, HASH_BYTES)
}

/**
 * A message as far as it distinguishes conversations. Clients send answers back in another form: without unknown
 * fields, with arguments written anew, null for an empty text.
 */
function canonical(message: Message): string {
  const calls = toolCallsOf(message).map((call) => {
    const input = toolCallInput(call)
    const args = parseJson(input) ?? input
    return [call.id, toolCallName(call), isNestedDeep(args) ? input : args]
  })
  const { role, content } = message
  // Texts of one answer may come back as one or as several.
  const text = () => messageText(message).trim().replaceAll(/\n+/g, '\n')
  if (role === 'assistant') return JSON.stringify([role, brief(text()), calls])
  const said = typeof content === 'string' ? brief(content) : (content ?? []).map(withoutMark)
  return JSON.stringify([role, said, role === 'tool' ? message.tool_call_id : null])
}

/** A longer text, in characters, is hashed by itself instead of being written as JSON. */
const LONG_TEXT = 100_000

function brief(text: string): string {
  return text.length > LONG_TEXT ? digest(text) : text
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
const YEAR = '(?:,? \\d{4}\\b)?'

const TIMES = new RegExp(
  [
    // 2026-11-23, 2026/11/23; 23.11.2026, 11/23/2026.
    '(?<![\\d.])\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}(?![\\d.])',
    '(?<![\\d.])\\d{1,2}([-/.])\\d{1,2}\\2\\d{4}(?!\\d)',
    // 22:25, 22:25:38.123Z, 10:25 PM, 22:25 GMT+0000; 10 PM.
    '(?<![\\d:])\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?![\\d:])(?: ?[ap]m\\b)?(?: ?(?:z|utc|gmt))?(?: ?[-+]\\d{2}:?\\d{2})?\\b',
    '\\b\\d{1,2} ?[ap]m\\b',
    `\\b(?:mon|tue|wed|thu|fri|sat|sun)\\b(?=,? (?:\\d|${MONTH}))`,
    `\\b${MONTH} ${DAY}\\b${YEAR}`,
    `\\b${DAY}\\.? (?:of )?${MONTH}${YEAR}`,
    `\\b${MONTH},? \\d{4}\\b`,
    '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b',
    '\\d{1,4} ?[年月日時时點点分秒]',
    '(?:星期|週|周)[一二三四五六日天]',
  ].join('|'),
  'gi',
)

export function withoutTimes(text: string): string {
  return text.replaceAll(TIMES, '\0')
}

const NAME = /^[\w.-]{1,100}$/

export function nameInSession(session: string, parts: readonly unknown[]): string {
  return `${NAME.test(session) ? session : digest(session)}:${digest(JSON.stringify(parts))}`
}

/** Maximum number of hashes per conversation: 1 KB, so that a request's cost does not grow with its history. */
const KEPT = 64

/**
 * The stored part of a conversation's list. Each hash covers everything before it, so one is enough for all turns
 * except the last.
 */
export interface Checkpoint {
  /** The hash of everything before the last turn; of the first message if there is one turn. */
  readonly anchor: string
  /** Index of the last turn's first message. */
  readonly turn: number
  /** Index of the message of the first hash. */
  readonly first: number
  /** One hash per message to the end of the list, at most 64. */
  readonly hashes: readonly string[]
}

export function firstCheckpoint(prefix: PrefixHashes): Checkpoint {
  return { anchor: anchorAt(prefix, 0), turn: 0, first: 0, hashes: [] }
}

export function checkpointOf(prefix: PrefixHashes): Checkpoint {
  const { hashes, users } = prefix
  const turn = users.at(-1) ?? 0
  const first = Math.max(0, hashes.length - KEPT)
  return { anchor: anchorAt(prefix, turn), turn, first, hashes: hashes.slice(first) }
}

/** Number of messages that a checkpoint and a list share; undefined if they differ before the last turn. */
export function knownLength(
  { anchor, turn, first, hashes }: Checkpoint,
  prefix: PrefixHashes,
): number | undefined {
  if (anchorAt(prefix, turn) !== anchor) return undefined
  const common = commonLength(hashes, prefix.hashes.slice(first))
  return Math.max(turn, common === 0 ? 0 : first + common)
}

function anchorAt({ root, hashes }: PrefixHashes, turn: number): string {
  return hashes.at(Math.max(0, turn - 1)) ?? digest(root)
}
