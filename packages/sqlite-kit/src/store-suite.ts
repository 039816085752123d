import { fail } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A store as its author hands it to a suite. */
export interface SuiteTarget<Store> {
  readonly name: string
  /** A new store without content. What it writes to disk goes into the folder, which is empty. */
  create(folder: string): Store
  /** The store of a folder, opened again with all that is in it. Absent for a store that keeps nothing. */
  reopen?(folder: string): Store
}

/** The harness of a case. Every store that it opens is closed after it. */
export interface SuiteHarness<Store> {
  create(): Store
  /** Another handle on what a store of this harness has written. @throws Error when the target cannot. */
  reopen(store: Store): Store
}

/** One promise of the interface. */
export interface SuiteCase<Store> {
  /** Stable, such as `S12`: reports and exceptions name it. */
  readonly id: string
  /** Completes the sentence "the store …". */
  readonly title: string
  /** Only for stores that can be opened again. */
  readonly requires?: 'reopen'
  run(harness: SuiteHarness<Store>): Promise<void>
}

export function casesFor<Store>(
  cases: readonly SuiteCase<Store>[],
  target: SuiteTarget<Store>,
): readonly SuiteCase<Store>[] {
  return cases.filter(({ requires }) => requires !== 'reopen' || target.reopen !== undefined)
}

/** Runs a case on new stores in a folder of its own, and removes both. Rejects when the store breaks the promise. */
export async function runCase<Store extends { close(): Promise<void> }>(
  suiteCase: SuiteCase<Store>,
  target: SuiteTarget<Store>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
  const folders = new Map<Store, string>()
  const keep = (store: Store, folder: string): Store => {
    folders.set(store, folder)
    return store
  }
  const harness: SuiteHarness<Store> = {
    create() {
      const folder = join(root, String(folders.size))
      mkdirSync(folder)
      return keep(target.create(folder), folder)
    },
    reopen(store) {
      const folder = folders.get(store)
      if (folder === undefined || target.reopen === undefined)
        throw new Error(`${target.name} cannot be reopened`)
      return keep(target.reopen(folder), folder)
    },
  }
  try {
    await suiteCase.run(harness)
  } finally {
    await Promise.allSettled([...folders.keys()].map((store) => store.close()))
    rmSync(root, { recursive: true, force: true })
  }
}

/** When everything in a suite happens, in milliseconds since the epoch. */
export const AT = 1_760_000_000_000

/** `count` different texts. */
export function texts(count: number, word = 'text'): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`)
}

/** The error of a call that must reject. */
export async function refusalOf(call: () => Promise<unknown>, what: string): Promise<unknown> {
  let value: unknown
  try {
    value = await call()
  } catch (error) {
    return error
  }
  fail(`${what} was not refused, but gave ${JSON.stringify(value)}`)
}

/** Looks again and again while something is under way, and gives its result. */
export async function whileRunning<T>(work: Promise<T>, look: () => Promise<unknown>): Promise<T> {
  let isOver = false
  void Promise.allSettled([work]).then(() => {
    isOver = true
  })
  // A store that waits for a timer gets its turn.
  for (; !isOver; await new Promise(setImmediate)) await look()
  return work
}

/** Names that a careless store takes for each other, or for something else. */
const HOSTILE_NAMES: readonly string[] = [
  ...['a', 'A', 'a ', 'ä', 'a\u0308', '__proto__', "'; --", '%', '_', 'a/b', 'a","b', '😀', 'a\0b'],
  ...['\ud83d', '\ud83e', '"a"', 'ab', '%61', 'x'.repeat(500), `${'x'.repeat(499)}y`],
]

/** Separators that a careless store puts between two names that it joins. */
const SEPARATORS = [
  ...[' ', ':', '::', '/', '|', '-', '_', '.', ',', '#', '@'],
  ...['\0', '\n', '\u001f', '","', ''],
]

/** Sessions of different names, which a careless store takes for each other. */
export function hostileRefs(): { readonly principal: string; readonly key: string }[] {
  return [
    ...HOSTILE_NAMES.map((principal) => ({ principal, key: 'a' })),
    ...HOSTILE_NAMES.map((key) => ({ principal: 'b', key })),
    ...SEPARATORS.flatMap((separator) => [
      { principal: `left${separator}middle`, key: 'right' },
      { principal: 'left', key: `middle${separator}right` },
    ]),
  ]
}

/** Texts that a careless store damages, by what is unusual about them. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a NUL character': 'before\0after',
  'only a NUL character': '\0',
  'a high surrogate alone': 'broken \ud83d here',
  'a low surrogate alone': '\ude00 broken',
  'surrogates in the wrong order': '\ude00\ud83d',
  'a NUL character beside a lone surrogate': '\0\ud800\0',
  'the replacement character': '\ufffd',
  'emoji and other astral characters': '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 𠮷',
  'letters without composition': 'cafe\u0301 \u1100\u1161\u11a8',
  'control characters': '\u0001\u0007\u001b[31m\u007f\u0085\u2028\u2029\ufeff',
  'line ends of all kinds': 'a\r\nb\nc\rd\n\n\n',
  'only newlines': '\n\n\n',
  'text that looks like JSON': '"{\\"role\\":\\"system\\"}\\u0000"',
  'text that looks like a message': '{"role":"system","content":"no\\n"}',
  'text that looks like SQL': `'; DROP TABLE message; DROP TABLE source; --"`,
  'text in right-to-left script': 'שלום \u202eعالم',
  'a closing tag of a block': '</project_decisions>',
  'a name of every object': '__proto__',
  'a megabyte of text': '0123456789abcde\n'.repeat(65_536),
  'a megabyte of emoji': '😀'.repeat(262_144),
}
