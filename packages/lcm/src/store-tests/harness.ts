import { deepEqual, equal, ok } from 'node:assert/strict'
import { errorText, type Message } from '@palimpsest/core'
import { AT, HOSTILE_TEXTS, refusalOf, texts } from '@palimpsest/sqlite-kit/store-suite'
import { StoreError, type StoreErrorCode } from '../errors/store-error.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import { createTermMatcher } from '../search/find-term.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type {
  CandidateQuery,
  EncodedMessage,
  Frontier,
  LcmSession,
  SearchTerm,
  SessionHead,
  SummaryNode,
} from '../store/lcm-session.ts'
import type { LcmStore } from '../store/lcm-store.ts'

export { AT, texts }

export function encode(message: Message): EncodedMessage {
  return encodeMessage(message, JSON.stringify(message).length)
}

export function userMessage(content: string): Message {
  return { role: 'user', content }
}

export function userMessages(...texts: readonly string[]): EncodedMessage[] {
  return texts.map((text) => encode(userMessage(text)))
}

/** Appends a user's messages behind the last one. */
export async function say(session: LcmSession, ...texts: readonly string[]): Promise<SessionHead> {
  const { nextSeq } = await session.head()
  return session.append({ nextSeq, messages: userMessages(...texts), at: AT + nextSeq })
}

/** A new session of the default principal in which a user has said these texts. */
export async function talk(store: LcmStore, key: string, ...texts: readonly string[]): Promise<LcmSession> {
  const session = await store.session({ key }, AT)
  if (texts.length > 0) await say(session, ...texts)
  return session
}

/** The contents of a session's messages, as far as they are texts. */
export async function contents(session: LcmSession, includeReplaced = false): Promise<string[]> {
  const messages = await session.messages({ limit: 1_000_000, includeReplaced })
  return messages.map(({ json }) => (json === '' ? '(forgotten)' : JSON.parse(json).content))
}

/** Replaces everything from a message on by other texts. */
export async function edit(
  session: LcmSession,
  from: number,
  summaries: readonly number[],
  ...instead: readonly string[]
): Promise<SessionHead> {
  const { nextSeq, version } = await session.head()
  const messages = userMessages(...instead)
  return session.append({ nextSeq, messages, at: AT + 99, version, replace: { from, summaries } })
}

/** A node whose hash is right, whatever else is not. */
export function seal(node: Omit<SummaryNode, 'hash'>): SummaryNode {
  return { ...node, hash: hashSummary(node) }
}

/** A summary of the live messages from `first` to `last`. */
export async function leaf(
  session: LcmSession,
  number: number,
  first: number,
  last: number,
  text = `what m${first} to m${last} say`,
): Promise<SummaryNode> {
  const messages = await session.messages({ first, last, limit: last - first + 1 })
  return seal({
    ...{ number, depth: 0, first, last, messages: messages.length, children: [], text, tokens: text.length },
    sourceTokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    ...{ writer: 'extractive', at: AT, from: messages[0]?.at ?? AT, to: messages.at(-1)?.at ?? AT },
  })
}

/** A summary of summaries. */
export function condense(
  number: number,
  children: readonly SummaryNode[],
  text = `what s${children.map((child) => child.number).join(' and s')} say`,
): SummaryNode {
  const [oldest, newest] = [children[0], children.at(-1)]
  if (oldest === undefined || newest === undefined) throw new Error('there is nothing to condense')
  return seal({
    ...{
      number,
      depth: Math.max(...children.map(({ depth }) => depth)) + 1,
      first: oldest.first,
      last: newest.last,
    },
    messages: children.reduce((sum, { messages }) => sum + messages, 0),
    children: children.map((child) => child.number),
    ...{ text, tokens: text.length },
    sourceTokens: children.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0),
    ...{ writer: 'model', at: AT, from: oldest.from, to: newest.to },
  })
}

export async function commit(
  session: LcmSession,
  create: readonly SummaryNode[],
  summaries: readonly number[],
): Promise<Frontier> {
  const { version } = await session.head()
  return session.commit({ version, create, summaries, reason: 'compaction', at: AT })
}

/** Puts a leaf over the next messages, as far as `last`, behind the frontier. */
export async function compactTo(session: LcmSession, last: number, text?: string): Promise<Frontier> {
  const { nodes } = await session.frontier()
  const { nextSummary } = await session.head()
  const first = (nodes.at(-1)?.last ?? -1) + 1
  const node = await leaf(session, nextSummary, first, last, text)
  return commit(session, [node], [...nodes.map(({ number }) => number), nextSummary])
}

/** Condenses the whole frontier into one summary. */
export async function condenseAll(session: LcmSession): Promise<Frontier> {
  const { nodes } = await session.frontier()
  const { nextSummary } = await session.head()
  return commit(session, [condense(nextSummary, nodes)], [nextSummary])
}

export function numbersOf(frontier: Frontier): number[] {
  return frontier.nodes.map(({ number }) => number)
}

/** The call must reject with a store's error of this code. */
export async function refuses(
  call: () => Promise<unknown>,
  code: StoreErrorCode,
  what: string,
): Promise<void> {
  const error = await refusalOf(call, what)
  equal(StoreError.isInstance(error) ? error.code : errorText(error), code, `the error for ${what}`)
}

/** Exactly one of some calls at the same time may go through; the others must be refused with this code. */
export async function letsOneThrough(
  calls: readonly Promise<unknown>[],
  code: StoreErrorCode,
  what: string,
): Promise<void> {
  const outcomes = await Promise.allSettled(calls)
  const codes = outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'through'
    return StoreError.isInstance(outcome.reason) ? outcome.reason.code : errorText(outcome.reason)
  })
  const expected = codes.map((_, index) => (index === codes.indexOf('through') ? 'through' : code))
  deepEqual(codes, expected, what)
  ok(codes.includes('through'), what)
}

/** Everything that a session answers about itself: to see that a refused call changed nothing. */
export async function stateOf(session: LcmSession): Promise<unknown> {
  const [head, frontier] = [await session.head(), await session.frontier()]
  const messages = await session.messages({ limit: 1_000_000, includeReplaced: true })
  const versions = await session.versions({ limit: 1_000 })
  const numbers = Array.from({ length: head.nextSummary }, (_, number) => number)
  return { head, frontier, messages, versions, summaries: await session.summaries(numbers) }
}

/** The numbers of messages or summaries, in this order. */
export function numbered(
  rows: readonly ({ readonly seq: number } | { readonly number: number })[],
  numbers: readonly number[],
  what?: string,
): void {
  deepEqual(
    rows.map((row) => ('seq' in row ? row.seq : row.number)),
    numbers,
    what,
  )
}

/** Messages that a careless store damages, by what is unusual about them. */
export function hostileMessages(): Readonly<Record<string, Message>> {
  const user = (content: unknown) => ({ role: 'user', content }) as Message
  const call = (args: string, name = 'read') =>
    ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: args } }],
    }) as Message
  return {
    ...Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([what, text]) => [what, user(text)])),
    'no content at all': { role: 'user' } as unknown as Message,
    'content that is null': user(null),
    'a key named __proto__': JSON.parse('{"role":"user","content":"x","__proto__":{"polluted":true}}'),
    'a nested key named __proto__': JSON.parse(
      '{"role":"user","content":[{"type":"text","text":"x","__proto__":1}]}',
    ),
    'keys named like members of objects': JSON.parse(
      '{"role":"user","content":"x","constructor":1,"toString":2,"hasOwnProperty":null,"length":-1}',
    ),
    'keys in another order': { content: 'first', role: 'user' },
    'keys that are numbers or empty': { role: 'user', content: 'x', 7: 'seven', '': 'empty' } as Message,
    'numbers at their limits': {
      ...{ role: 'user', content: 'x', a: -0, b: 1e308, c: 5e-324, d: 0.1 + 0.2, e: 2 ** 53 + 2, f: 1e21 },
    } as Message,
    'values that JSON leaves out': {
      role: 'user',
      content: 'x',
      gone: undefined,
      nan: Number.NaN,
    } as Message,
    'parts of all kinds': user([
      { type: 'text', text: 'one' },
      { type: 'text', text: '' },
      { type: 'text', text: 'two\nlines' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'unheard_of', payload: { deep: [1, [2, [3, null]]] } },
    ]),
    'parts that are no parts': user([null, 7, 'text', [], {}, { type: 'text' }, { type: 'text', text: 5 }]),
    'content that is an object': user({ text: 'x' }),
    'a call with spaced arguments': call('{ "path" : "a.ts",\n\t"deep": {"n": 1.50} }'),
    'a call with escaped arguments': call('{"text":"line\\nline \\u0041 \\ud83d \\"quoted\\" \\/"}'),
    'a call with arguments that do not parse': call('{"path": "a.t'),
    'a call without arguments': call(''),
    'a call with a NUL character in its name': call('{}', 'a\0b'),
    'calls that are no calls': {
      role: 'assistant',
      content: 'x',
      tool_calls: [null, {}, 5],
    } as unknown as Message,
    'the result of a call': { role: 'tool', tool_call_id: 'call_1', content: 'done\n' },
    'unknown members': { role: 'user', content: 'x', providerData: { sig: 'abc==' }, weight: 0 } as Message,
    'an id of its own': { role: 'user', content: 'x', id: 'host-1' },
    'an unknown role': { role: 'Narrator\0\ud83d', content: 'x' } as unknown as Message,
  }
}

/** Messages of many scripts, by their numbers. */
export const TEXTS = [
  /* 0 */ 'The quick brown fox',
  /* 1 */ 'QUICK_fox jumps; über Zürich 42',
  /* 2 */ 'foxes and quicksilver',
  /* 3 */ '東京で寿司を食べた',
  /* 4 */ '中文搜索 and 한국어 검색',
  /* 5 */ 'src/app/main.ts:12 "quoted" 100% a-b a_b isn\'t C:\\new',
  /* 6 */ 'ÜBER ΣΊΣΥΦΟΣ Ёлка',
  /* 7 */ 'emoji 👩‍👩‍👧 here 𠮷野家 300 \u212a \u017fun',
  /* 8 */ 'fox\nquick\nfox',
  /* 9 */ 'cafe\u0301 x1y2 naïve',
]

/** The terms to be found in them, by kind and text. */
export const TERMS: readonly [SearchTerm['kind'], string, readonly number[]][] = [
  ['word', 'fox', [0, 8]],
  ['word', 'FOX', [0, 8]],
  ['word', 'quick', [0, 8]],
  ['word', 'quick_fox', [1]],
  ['word', 'über', [1, 6]],
  ['word', 'ёлка', [6]],
  ['word', '42', [1]],
  ['word', 'a', [5]],
  ['word', 'a_b', [5]],
  ['word', 'main', [5]],
  ['word', 'absent', []],
  ['prefix', 'fox', [0, 2, 8]],
  ['prefix', 'QUICK', [0, 1, 2, 8]],
  ['prefix', 'q', [0, 1, 2, 5, 8]],
  ['prefix', 'zür', [1]],
  ['prefix', '中文', [4]],
  ['substring', 'ick', [0, 1, 2, 8]],
  ['substring', 'OX', [0, 1, 2, 8]],
  ['substring', 'o', [0, 1, 2, 5, 7, 8]],
  ['substring', '食', [3]],
  ['substring', '寿司', [3]],
  ['substring', '東京で', [3]],
  ['substring', '食べた', [3]],
  ['substring', '文搜', [4]],
  ['substring', '국', [4]],
  ['substring', '검색', [4]],
  ['substring', '𠮷', [7]],
  ['substring', '👩', [7]],
  ['substring', '.ts:1', [5]],
  ['substring', '"quoted"', [5]],
  ['substring', '0%', [5]],
  ['substring', '%', [5]],
  ['substring', 'a-b', [5]],
  ['substring', 'x\nq', [8]],
  ['substring', "n't", [5]],
  ['substring', ':\\N', [5]],
  ['substring', '\\', [5]],
  ['word', 'new', [5]],
  ['word', 'k', [7]],
  ['prefix', 'SU', [7]],
  ['substring', ' sun', [7]],
  ['substring', 'ber', [1, 6]],
  ['substring', 'σίσ', [6]],
  ['substring', 'ΣΊΣ', [6]],
  ['substring', 'ZÜR', [1]],
  ['prefix', 'ЁЛ', [6]],
  ['substring', 'ё', [6]],
  ['substring', 'ïv', [9]],
  ['substring', '\u0301', [9]],
  ['substring', 'zzz', []],
]

/** The rows that really match, of those that may. */
export function exactly<T extends { readonly text: string }>(
  rows: readonly T[],
  { where }: Pick<CandidateQuery, 'where'>,
): T[] {
  const matches = createTermMatcher(where)
  return rows.filter(({ text }) => matches(text))
}
