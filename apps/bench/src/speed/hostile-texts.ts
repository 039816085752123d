import { redactSecrets } from '@palimpsest/core'
import { extractMessage } from '@palimpsest/decisions'
import { analyzeMessage, extractIdentifiers } from '@palimpsest/extractive'
import { createTokenCounter } from '@palimpsest/tokens'
import { cpuTime } from './time.ts'

/** The beginning of a text, the part that is repeated until it is long enough, and the end. */
type Shape = readonly [begin: string, repeated: string, end: string]

/**
 * Texts that hung, or slowed down, an expression of this repository once: found by `recheck` and in profiles. Then
 * what no one types: one line of base64, blanks, emoji, quotes in quotes.
 */
export const HOSTILE_TEXTS: Readonly<Record<string, Shape>> = {
  'and, again and again': ['\n', 'and  ', 'e'],
  'well, with tabs': ['ok\t', 'well\t ', 'E'],
  'ok, again and again': ['', 'ok, ', 'use'],
  'blanks behind a quote of another script': ['We use ’', ' ', '.'],
  'full stops before a word': ['a', '.', '\0'],
  'blanks before a word': ['', '\t', '\0'],
  'line breaks before a heading': ['# \t', '\n', '#'],
  'headings without text': ['', '# a\n\n', '#'],
  'dashes before a word': ['a', '-', '\0-'],
  'slashes before a word': ['', '/', '\0/'],
  'titles without an end': ['', '<title', ''],
  'tags without an end': ['', '<index messages="m1"', ''],
  'fences without an end': ['', '```', ''],
  'quotes without an end': ['', '\0\\"\\', ''],
  'names without an end': ['_', '0A', '\n'],
  'paths without an end': ['*/', '0/', '\0'],
  'lines of settings': ['', `&${'[_:A='.repeat(790)}\n`, ''],
  'marks of quotes': ['', '「“「', '\n'],
  'carriage returns': ['', '\r', 'X'],
  'brackets on lines': [' ', '"\n(', 'X'],
  'letters before a name': ['', 'A', '\0a_0'],
  'addresses without a host': ['', 'a@', ''],
  'passwords without a value': ['', '://:\0', '\t'],
  'base64 on one line': ['', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo', '=='],
  blanks: ['', ' ', ''],
  emoji: ['', '👩‍👩‍👧🏽🎉', ''],
  'quotes in quotes': ['', `"'\`“„«`, ''],
  'passwords in quotes that do not end': ['', 'pass=\\\\\\"', ''],
  'names in names': ['', 'passwordpassword', ''],
  'lines of base64': ['', `${'Aa0+'.repeat(16)}\n`, ''],
  'JSON in JSON': ['', '{\\"a\\":[\\"{\\\\\\"b\\\\\\":', '1'],
}

export function hostileText(name: string, characters: number): string {
  const [begin, repeated, end] = HOSTILE_TEXTS[name] ?? ['', ' ', '']
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
