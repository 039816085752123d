import { existsSync, readFileSync } from 'node:fs'
import {
  CUES,
  extractMessage,
  LEXICONS,
  type Lexicon,
  READERS,
  READING,
  type Reading,
} from '@palimpsest/decisions'
import type { Extractor } from './finding.ts'
import type { LabelledPart } from './labelled/labelled-set.ts'
import { type Score, scoreSet } from './score-set.ts'

const SOURCES = new URL('../../../../packages/decisions/src/extract/', import.meta.url)

/** What an extraction is worth without one of its pieces. */
export interface Without {
  /** A reader (`settings`), a language (`de`), a list of cues (`en.choose`), or empty for nothing left out. */
  readonly piece: string
  /** Lines of a reader or a lexicon, phrases of a list; undefined where the sources are not at hand. */
  readonly size?: number
  readonly strict: Score
  readonly value: Score
}

/** What can be left out: readers, languages, and the lists of cues of each language. */
export const PIECES: readonly string[] = [
  ...READERS,
  ...LEXICONS.map(({ language }) => language),
  ...LEXICONS.flatMap(({ language, ...lists }) =>
    Object.keys(CUES)
      .filter((cue) => cue in lists)
      .map((cue) => `${language}.${cue}`),
  ),
]

/** The extractor without a reader, a language or a list of cues. */
export function extractWithout(piece: string): Extractor {
  const [language, cue] = piece.split('.')
  const lexicons = LEXICONS.flatMap((lexicon): Lexicon[] => {
    if (lexicon.language !== language) return [lexicon]
    return cue === undefined ? [] : [{ ...lexicon, [cue]: '' }]
  })
  const reading: Reading = { lexicons, asks: (reader) => reader !== piece && READING.asks(reader) }
  return (input) => extractMessage(input, reading)
}

/** Scores the extractor as it is, then without each of the pieces. */
export function runWithout(pieces: readonly string[], { conversations }: LabelledPart): Without[] {
  return ['', ...pieces].map((piece) => {
    const extract = piece === '' ? extractMessage : extractWithout(piece)
    const [strict, value] = (['strict', 'value'] as const).map(
      (measure) => scoreSet(extract, conversations, measure).total,
    )
    if (strict === undefined || value === undefined) throw new Error('nothing was scored')
    const size = sizeOf(piece)
    return { piece, strict, value, ...(size !== undefined && { size }) }
  })
}

const NAMES: Readonly<Record<string, string>> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  ru: 'russian',
  ja: 'japanese',
  zh: 'chinese',
}

function sizeOf(piece: string): number | undefined {
  const [language = '', cue] = piece.split('.')
  const lexicon = LEXICONS.find((each) => each.language === language)
  if (cue !== undefined) return String(lexicon?.[cue as keyof typeof CUES] ?? '').split(';').length
  const file = new URL(lexicon === undefined ? `read-${piece}.ts` : `lexicon/${NAMES[language]}.ts`, SOURCES)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : undefined
}
