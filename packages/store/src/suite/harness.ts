import { fail } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message, NewMessage, SearchTerm, Store, StoredSession, Summary } from '@palimpsest/core'

/** A store as its author hands it to the suite. */
export interface StoreTarget {
  readonly name: string
  /** Creates an empty store. It writes only into the folder, which is empty. */
  create(folder: string): Store | Promise<Store>
  /** Reopens the store of a folder. Absent for a store without persistence. */
  reopen?(folder: string): Store | Promise<Store>
}

export interface StoreHarness {
  create(): Promise<Store>
  /** Opens another handle on a store of this harness. */
  reopen(store: Store): Promise<Store>
}

/** One promise of a store. */
export interface StoreCase {
  /** Stable, such as `S12`. */
  readonly id: string
  /** Completes the sentence "the store …". */
  readonly title: string
  /** Set for cases that only stores with persistence can run. */
  readonly requires?: 'reopen'
  run(harness: StoreHarness): Promise<void>
}

/** Runs a case on new stores in a folder of its own, and removes both. Rejects if the store breaks the promise. */
export async function runStoreCase(one: StoreCase, target: StoreTarget): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
  const folders = new Map<Store, string>()
  const open = async (folder: string, make: ((folder: string) => Store | Promise<Store>) | undefined) => {
    if (make === undefined) throw new Error(`${target.name} cannot be opened again`)
    const store = await make(folder)
    folders.set(store, folder)
    return store
  }
  try {
    await one.run({
      create() {
        const folder = join(root, String(folders.size))
        mkdirSync(folder)
        return open(folder, (path) => target.create(path))
      },
      reopen: (store) =>
        open(folders.get(store) ?? '', target.reopen && ((path) => target.reopen?.(path) as Store)),
    })
  } finally {
    await Promise.allSettled([...folders.keys()].map((store) => store.close()))
    rmSync(root, { recursive: true, force: true })
  }
}

export const AT = 1_760_000_000_000

export function said(...texts: readonly string[]): NewMessage[] {
  return texts.map((content) => ({ message: { role: 'user', content }, tokens: content.length }))
}

export function numbered(count: number, word = 'text'): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`)
}

export async function talk(store: Store, key: string, ...texts: readonly string[]): Promise<StoredSession> {
  const session = await store.session({ key }, AT)
  if (texts.length > 0) await session.append({ nextSeq: 0, messages: said(...texts), at: AT })
  return session
}

export async function textsOf(session: StoredSession): Promise<string[]> {
  return (await session.messages()).map(({ message }) => String(message?.content))
}

export function leaf(first: number, last: number, more: Partial<Summary> = {}): Summary {
  return {
    ...{
      number: 1,
      depth: 0,
      first,
      last,
      messages: last - first + 1,
      children: [],
      text: `summary of ${first} to ${last}`,
    },
    ...{ tokens: 5, sourceTokens: 50, writer: 'model', at: AT, from: AT, to: AT },
    ...more,
  }
}

export async function refusalOf(call: Promise<unknown>, what: string): Promise<unknown> {
  const value = await call.catch((error: unknown) => ({ refused: (error as { code?: unknown }).code }))
  if (typeof value === 'object' && value !== null && 'refused' in value) return value.refused
  fail(`${what} was not refused, but gave ${JSON.stringify(value)}`)
}

const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a NUL character': 'before\0after',
  'a high surrogate alone': 'broken \ud83d here',
  'surrogates in the wrong order': '\ude00\ud83d',
  'astral characters': '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 𠮷',
  'letters without composition': 'cafe\u0301 \u1100\u1161\u11a8',
  'control characters': '\u0001\u0007\u001b[31m\u007f\u0085\u2028\u2029\ufeff',
  'line ends of all kinds': 'a\r\nb\nc\rd\n\n\n',
  'text that looks like JSON': '"{\\"role\\":\\"system\\"}\\u0000"',
  'text that looks like SQL': `'; DROP TABLE message; --"`,
  'a megabyte of text': '0123456789abcde\n'.repeat(65_536),
}

export function hostileMessages(): Readonly<Record<string, Message>> {
  const user = (content: unknown) => ({ role: 'user', content }) as Message
  const call = (text: string, name = 'read') =>
    ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: text } }],
    }) as Message
  return {
    ...Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([what, text]) => [what, user(text)])),
    'no content at all': { role: 'user' } as unknown as Message,
    'a key named __proto__': JSON.parse('{"role":"user","content":"x","__proto__":{"polluted":true}}'),
    'keys named like members of objects': JSON.parse(
      '{"role":"user","content":"x","constructor":1,"toString":2}',
    ),
    'keys in another order': { content: 'first', role: 'user' },
    'parts that are no parts': user([null, 7, 'text', [], {}, { type: 'text' }, { type: 'text', text: 5 }]),
    'parts of unknown kinds': user([{ type: 'unheard_of', payload: { deep: [1, [2, [3, null]]] } }]),
    'content that is an object': user({ text: 'x' }),
    'a call with escaped arguments': call('{"text":"line\\nline \\u0041 \\ud83d \\"quoted\\" \\/"}'),
    'a call with arguments that do not parse': call('{"path": "a.t'),
    'a call with a NUL character in its name': call('{}', 'a\0b'),
    'calls that are no calls': {
      role: 'assistant',
      content: 'x',
      tool_calls: [null, {}, 5],
    } as unknown as Message,
    'unknown members': { role: 'user', content: 'x', providerData: { sig: 'abc==' }, weight: 0 } as Message,
    'an unknown role': { role: 'Narrator\0\ud83d', content: 'x' } as unknown as Message,
  }
}

export const SCRIPTS = [
  /* 0 */ 'The quick brown fox',
  /* 1 */ 'QUICK_fox jumps; über Zürich 42',
  /* 2 */ 'foxes and quicksilver',
  /* 3 */ '東京で寿司を食べた',
  /* 4 */ '中文搜索 and 한국어 검색',
  /* 5 */ 'src/app/main.ts:12 "quoted" 100% a-b a_b isn\'t C:\\new',
  /* 6 */ 'ÜBER ΣΊΣΥΦΟΣ Ёлка',
  /* 7 */ 'emoji 👩‍👩‍👧 here 𠮷野家 300 \u212a \u017fun',
  /* 8 */ 'fox\nquick\nfox',
  /* 9 */ 'cafe\u0301 x1y2 naïve \u00b5m',
]

export const FOUND: readonly [SearchTerm['kind'], string, readonly number[]][] = [
  ['word', 'FOX', [0, 8]],
  ['word', 'über', [1, 6]],
  ['word', '42', [1]],
  ['word', 'a', [5]],
  ['prefix', 'QUICK', [0, 1, 2, 8]],
  ['substring', 'ick', [0, 1, 2, 8]],
  ['substring', 'o', [0, 1, 2, 5, 7, 8]],
  ['substring', '食', [3]],
  ['substring', '寿司', [3]],
  ['substring', '東京で', [3]],
  ['substring', '검색', [4]],
  ['substring', '𠮷', [7]],
  ['substring', '.ts:1', [5]],
  ['substring', '"quoted"', [5]],
  ['substring', '100%', [5]],
  ['substring', 'x\nq', [8]],
  ['substring', ':\\N', [5]],
  ['substring', 'k', [0, 1, 2, 7, 8]],
  ['substring', ' sun', [7]],
  ['substring', 'σίσυφος', [6]],
  ['substring', 'ΣΊΣΥΦΟΣ', [6]],
  ['substring', 'ёлк', [6]],
  ['substring', 'aïv', []],
  ['substring', 'naïve \u03bc', [9]],
  ['substring', 'zzz', []],
]
