import type { Finding } from './finding.ts'
import { READING, readSentence } from './read-sentence.ts'
import { sentencesOf } from './sentences.ts'

const MAX_OFFERS = 12

/** The proposals of an assistant's text; at most 12. */
export function offersOf(text: string, reading = READING): Finding[] {
  return sentencesOf(text)
    .flatMap((sentence) => readSentence(sentence, 'assistant', reading))
    .filter(({ kind }) => kind === 'choice')
    .slice(0, MAX_OFFERS)
}
