import { findTechnologies } from '../slots/find-technologies.ts'
import type { Finding } from './finding.ts'
import {
  BEHIND_OLD,
  CORRECTS,
  FORGETS,
  FORGETS_FIRST,
  IN_PLACE,
  IS_BEHIND,
  NOT_BUT,
} from './lexicon/correction-words.ts'
import type { Sentence } from './sentences.ts'

/** A sentence without the words that only say that it corrects something. */
export interface Corrected {
  readonly sentence: Sentence
  readonly isChange: boolean
  /** The value that it says is over, as it names it or the sentence beside it does. */
  readonly old?: string
}

/** The sentences of a turn: "Actually, forget 417." and "Not 417." are told of the sentence that they are about. */
export function correctedSentences(sentences: readonly Sentence[]): Corrected[] {
  const said: Corrected[] = []
  let carried: Pick<Corrected, 'isChange' | 'old'> = { isChange: false }
  for (const [index, whole] of sentences.entries()) {
    const lead = CORRECTS.exec(whole.shape)?.[0].length ?? 0
    const bare = cut(whole, lead)
    const { old, name } = FORGETS.exec(bare.shape)?.groups ?? {}
    const known = old ?? (name === undefined ? undefined : findTechnologies(name)[0]?.value)
    const last = said.at(-1)
    if (known !== undefined && IS_BEHIND.test(bare.shape) && last !== undefined) {
      said[said.length - 1] = { ...last, isChange: true, old: known }
      continue
    }
    const hasNext = index < sentences.length - 1
    if (old !== undefined || (lead > 0 && !/[\p{L}\p{N}]/u.test(bare.shape))) {
      carried = hasNext ? { isChange: true, ...(old !== undefined && { old }) } : { isChange: false }
      continue
    }
    const { sentence, old: inside } = withoutOld(bare)
    const is = carried.isChange || lead > 0 || inside !== undefined || IN_PLACE.test(bare.shape)
    const value = inside ?? carried.old
    said.push({ sentence, isChange: is, ...(value !== undefined && { old: value }) })
    carried = { isChange: false }
  }
  return said
}

/** A finding as the change that its sentence makes of it. */
export function asCorrected(finding: Finding, { isChange, old }: Corrected): Finding {
  if (!isChange || finding.kind === 'end') return finding
  const replaces = finding.replaces ?? (old === undefined ? undefined : oldOf(finding, old))
  return { ...finding, isChange: true, ...(replaces !== undefined && { replaces }) }
}

function cut({ shape, start, end }: Sentence, lead: number): Sentence {
  return lead === 0 ? { shape, start, end } : { shape: shape.slice(lead), start: start + lead, end }
}

function withoutOld(sentence: Sentence): { sentence: Sentence; old?: string } {
  const { shape } = sentence
  const first = FORGETS_FIRST.exec(shape)
  if (first?.groups?.old !== undefined)
    return { sentence: cut(sentence, first[0].length), old: first.groups.old }
  const match = NOT_BUT.exec(shape)
  const { whole, wide, old, before } = match?.groups ?? {}
  const words = whole ?? wide
  if (match === null || words === undefined) {
    const behind = BEHIND_OLD.exec(shape)?.groups?.old
    return behind === undefined ? { sentence } : { sentence, old: behind }
  }
  const blank =
    shape.slice(0, match.index) + words.replace(/./gu, blanks) + shape.slice(match.index + words.length)
  const value = (old ?? before ?? '').trim()
  return { sentence: { ...sentence, shape: blank }, ...(value !== '' && { old: value }) }
}

const blanks = (character: string): string => ' '.repeat(character.length)

/** What stands in a sentence for the thing itself, and may be another one: a name as code has them. */
const IDENTIFIER = /[\p{L}\p{N}]*(?:[\p{L}\p{N}]_[\p{L}\p{N}_]+|\p{Ll}\p{Lu}[\p{L}\p{N}]*)/gu

/** The old value as it was written in full, as far as the new one shows how. */
function oldOf({ slot, value }: Finding, old: string): string | undefined {
  if (value === old) return undefined
  const [prefix] = slot.split(':', 1)
  if (prefix === slot) {
    const [known] = findTechnologies(old)
    return known?.technology.slots.includes(slot) && known.value !== value ? known.value : undefined
  }
  if (prefix === 'rule' || prefix === 'fact') {
    const name = value.match(IDENTIFIER)?.at(-1)
    return name === undefined || name === old ? undefined : value.replaceAll(name, () => old)
  }
  if (prefix !== 'setting') return old
  return /^\d[\d_.,]*$/.test(old) ? value.replace(/^[-+$€£]?\d[\d_.,]*/, () => old) : old
}
