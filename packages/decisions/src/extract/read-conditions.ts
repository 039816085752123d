import type { Finding } from './finding.ts'
import { CASE_FIRST, CASE_LAST, CASE_MAKES, COMPLAINT, IS_CODED } from './lexicon/condition-words.ts'
import { proseSlot } from './prose-slot.ts'
import type { Sentence } from './sentences.ts'

const MAX_FACT_CHARS = 160

/** How something behaves in a special case: "When the barcode is missing, the import returns `E_417`". */
export function readCondition({ shape, start, end }: Sentence): Finding | undefined {
  if (COMPLAINT.test(shape)) return undefined
  const match = CASE_FIRST.exec(shape) ?? CASE_LAST.exec(shape) ?? CASE_MAKES.exec(shape)
  const { special = '', who = '', result = '', must } = match?.groups ?? {}
  // Without a word of duty it may be what happens; what is written as code is laid down.
  if (match === null || (must === undefined && !IS_CODED.test(result))) return undefined
  const value = match[0]
    .replace(/\s+/g, ' ')
    .replace(/[\s.!;,]+$/, '')
    .trim()
    .slice(0, MAX_FACT_CHARS)
  const slot = `fact:${proseSlot(`${special} ${who}`)}`
  return { kind: 'choice', slot, value, area: '', start, end, isChange: false }
}
