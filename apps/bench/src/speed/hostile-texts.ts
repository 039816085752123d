import { redactSecrets } from '@palimpsest/core'
import { extractMessage } from '@palimpsest/decisions'
import { analyzeMessage, extractIdentifiers } from '@palimpsest/extractive'
import { createTokenCounter } from '@palimpsest/tokens'
import texts from '../../data/hostile-texts.json' with { type: 'json' }
import { cpuTime } from './time.ts'

/**
 * Texts that hung, or slowed down, an expression of this repository once: found by `recheck` and in profiles. Then
 * what no one types: one line of base64, blanks, emoji, quotes in quotes. Each is a beginning, a part that is repeated until the
 * text is long enough, and an end.
 */
export const HOSTILE_TEXTS: Readonly<Record<string, readonly string[]>> = texts

export function hostileText(name: string, characters: number): string {
  const [begin = '', repeated = ' ', end = ''] = HOSTILE_TEXTS[name] ?? []
  return begin + repeated.repeat(Math.ceil(characters / repeated.length)) + end
}

const counter = createTokenCounter()

/** All that reads every text of a conversation. Messages are new ones each time: what is known of an object is not read again. */
export const TEXT_READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'decisions, of a user': (content) => extractMessage({ index: 0, message: { role: 'user', content } }),
  'decisions, of an assistant': (content) =>
    extractMessage({ index: 0, message: { role: 'assistant', content } }),
  'digest of a user’s message': (content) => analyzeMessage({ role: 'user', content }),
  'digest of an assistant’s message': (content) => analyzeMessage({ role: 'assistant', content }),
  'digest of a result': (content) => analyzeMessage({ role: 'tool', tool_call_id: 'a', content }),
  identifiers: extractIdentifiers,
  redaction: redactSecrets,
  'token count': (text) => counter.countText(text),
}

/** Milliseconds of the processor, of a text of 100 KB and of one that is ten times as long. */
export interface HostileRow {
  readonly reader: string
  readonly text: string
  readonly short: number
  readonly long: number
}

/** The length of the long text, as a multiple of the short one. */
const TIMES = 10

/** Each reader on the text that costs it most for each character. The short text has 100,000, if nothing else is said. */
export function measureHostile({ runs = 3, characters = 100_000 } = {}): HostileRow[] {
  return Object.entries(TEXT_READERS).map(([reader, read]) => {
    const rows = Object.keys(HOSTILE_TEXTS).map((name): HostileRow => {
      // A count that is known is not made again.
      const time = (length: number, run: number): number => {
        const text = `${run} ${hostileText(name, length)}`
        const start = cpuTime()
        read(text)
        return cpuTime() - start
      }
      const best = (length: number): number =>
        Math.min(...Array.from({ length: runs }, (_, run) => time(length, run)))
      return { reader, text: name, short: best(characters), long: best(characters * TIMES) }
    })
    return rows.reduce((worst, row) => (costOf(row) > costOf(worst) ? row : worst))
  })
}

const costOf = ({ short, long }: HostileRow): number => Math.max(short, long / TIMES)
