import { oneLine } from './one-line.ts'
import { safeEnd } from './shorten.ts'

/** A sentence longer than this is cut: what is longer is rarely one. */
const MAX_SENTENCE_CHARS = 400

const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|fig|[A-Za-z])$/i
const WIDE_STOP = /[。！？｡؟।]/

/** The sentences of prose, each on one line; list bullets, heading marks and bold marks are taken off. Linear. */
export function splitSentences(prose: string, maxSentences = 400): string[] {
  const sentences: string[] = []
  for (const line of prose.split('\n')) {
    if (sentences.length >= maxSentences) break
    const text = line.replace(/^\s*(?:#{1,6}\s+|[-*•+]\s+|\d{1,3}[.)]\s+)?/, '').replaceAll('**', '')
    let start = 0
    for (let i = 0; i < text.length; i++) {
      if (!isStop(text, start, i)) continue
      push(sentences, text.slice(start, i + 1))
      start = i + 1
    }
    push(sentences, text.slice(start))
  }
  return sentences
}

function isStop(text: string, start: number, index: number): boolean {
  const char = text.charAt(index)
  if (WIDE_STOP.test(char)) return true
  if (char !== '.' && char !== '!' && char !== '?') return false
  const next = text.charAt(index + 1)
  if (next !== '' && next !== ' ') return false
  return char !== '.' || !ABBREVIATION.test(text.slice(Math.max(start, index - 8), index))
}

function push(sentences: string[], raw: string): void {
  const sentence = oneLine(raw.slice(0, safeEnd(raw, MAX_SENTENCE_CHARS)))
  if (sentence.length > 1) sentences.push(sentence)
}
