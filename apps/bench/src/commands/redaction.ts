import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Message, messageText, redactSecrets, toolCallsOf } from '@palimpsest/core'
import { Option } from 'commander'
import { left, right, type Section, tableOf, whole } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, option } from './options.ts'

type RedactionOptions = { readonly data?: string; readonly texts?: string; readonly hits?: boolean }

interface Hit {
  readonly kind: string
  /** The hidden text, behind some of what stands before it. */
  readonly shown: string
}

type RedactionFigures = { readonly words: number; readonly characters: number; readonly hits: readonly Hit[] }

export const redaction = defineMeasure<RedactionFigures, RedactionOptions>({
  description: 'what redaction hides in real texts, to be judged by hand: most of it is no secret',
  options: [
    DATA,
    option('--texts <folder>', 'files that tools would read, instead of sessions', (path: string) => path),
    new Option('--hits', 'print what was hidden, and what stands before it'),
  ],
  async run({ data, texts }, { root }) {
    const read =
      texts === undefined ? sessionTexts((await openSessions(data, root)).sessions) : fileTexts(texts)
    const figures = { words: 0, characters: 0, hits: [] as Hit[] }
    for await (const text of read) {
      figures.words += text.match(/\S+/g)?.length ?? 0
      figures.characters += text.length
      figures.hits.push(...hitsIn(text))
    }
    return figures
  },
  sections: redactionSections,
  more: ({ hits }, options) =>
    options.hits ? [...new Set(hits.map(({ kind, shown }) => `${kind}: ${shown}\n`))].sort().join('') : '',
})

function* sessionTexts(sessions: readonly { readonly messages: readonly Message[] }[]): Generator<string> {
  for (const message of sessions.flatMap(({ messages }) => messages)) {
    yield messageText(message)
    for (const call of toolCallsOf(message))
      yield call.type === 'function' ? call.function.arguments : call.custom.input
  }
}

/** Larger files are read in parts, by tools. */
const LARGEST_FILE = 200_000

async function* fileTexts(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const text = entry.isFile() ? await readFile(join(entry.parentPath, entry.name), 'utf8') : ''
    if (text.length <= LARGEST_FILE && !/[\0\ufffd]/.test(text)) yield text
  }
}

/** Characters before what was hidden that are shown, and of what was hidden. */
const SHOWN = { before: 60, hidden: 100 }

function hitsIn(text: string): Hit[] {
  const parts = redactSecrets(text).split(/\[REDACTED:([a-z-]+)\]/)
  const hits: Hit[] = []
  let at = 0
  for (let index = 0; index + 2 < parts.length; index += 2) {
    at += parts[index]?.length ?? 0
    const next = parts[index + 2] ?? ''
    const end = next === '' ? text.length : text.indexOf(next, at)
    const before = text.slice(Math.max(0, at - SHOWN.before), at)
    const hidden = text.slice(at, end).slice(0, SHOWN.hidden)
    hits.push({
      kind: parts[index + 1] ?? '',
      shown: `${JSON.stringify(before)} » ${JSON.stringify(hidden)}`,
    })
    at = end
  }
  return hits
}

function redactionSections({ words, characters, hits }: RedactionFigures): Section {
  const kinds = [...new Set(hits.map(({ kind }) => kind))].sort()
  return {
    title: 'What redaction hides',
    text: `${whole(hits.length)} of ${whole(words)} words (${whole(characters)} characters). Judge them by hand with --hits: the goal is less than one that is no secret in 10,000 words.`,
    table: tableOf(kinds, [
      left('kind', (kind) => kind),
      right('hidden', (kind) => whole(hits.filter((hit) => hit.kind === kind).length)),
    ]),
  }
}
