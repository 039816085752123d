import { existsSync, readFileSync } from 'node:fs'
import { CUES, ENGLISH, extractMessage, READERS, READING, type Reading } from '@palimpsest/decisions'
import { decimal } from '../report/format.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import type { Extractor } from './finding.ts'
import type { LabelledPart } from './labelled/labelled-set.ts'
import { type Score, scoreSet } from './score-set.ts'

const SOURCES = new URL('../../../../packages/decisions/src/extract/', import.meta.url)

export type Without = ReturnType<typeof runWithout>[number]

export const PIECES: readonly string[] = [...READERS, ...Object.keys(CUES).filter((cue) => cue in ENGLISH)]

export function extractWithout(piece: string): Extractor {
  const reading: Reading = {
    lexicon: piece in CUES ? { ...ENGLISH, [piece]: '' } : ENGLISH,
    asks: (reader) => reader !== piece && READING.asks(reader),
  }
  return (input) => extractMessage(input, reading)
}

export function runWithout(pieces: readonly string[], { conversations }: LabelledPart) {
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

export function withoutSection(part: string, [whole, ...rows]: readonly Without[]): Section {
  const more = (piece: string, count: (total: Score) => number, value: Score) =>
    piece === '' || whole === undefined ? '' : String(count(whole.value) - count(value))
  return {
    level: 3,
    title: part,
    text: [],
    table: tableOf(whole === undefined ? [] : [whole, ...rows], [
      left('without', ({ piece }) => (piece === '' ? '(nothing)' : piece)),
      right('value precision', ({ value }) => decimal(value.precision, 3)),
      right('recall', ({ value }) => decimal(value.recall, 3)),
      right('strict precision', ({ strict }) => decimal(strict.precision, 3)),
      right('recall', ({ strict }) => decimal(strict.recall, 3)),
      right('earns', ({ piece, value }) => more(piece, ({ hits }) => hits, value)),
      right('errs', ({ piece, value }) => more(piece, ({ findings, hits }) => findings - hits, value)),
      right('lines or phrases', ({ size }) => (size === undefined ? '' : String(size))),
    ]),
  }
}

function sizeOf(piece: string): number | undefined {
  if (piece in CUES) return ENGLISH[piece as keyof typeof CUES]?.split(';').length
  const file = new URL(`read-${piece}.ts`, SOURCES)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : undefined
}
