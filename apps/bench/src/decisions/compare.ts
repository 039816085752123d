import { sameValue } from '@palimpsest/decisions'
import type { Finding } from './finding.ts'
import type { Label } from './labelled-set.ts'

/** `strict`: kind, slot and value are right. `value`: the value is, and it is a choice, a proposal or a retraction as labelled. */
export type Measure = 'strict' | 'value'

const DICTIONARY_SLOT = /^(?!any$|rule$|location$)[^:]+$/

/** True for a label that names a slot of the dictionary, whose slot can be right or wrong. */
export const hasDictionarySlot = ({ slot }: Label): boolean => DICTIONARY_SLOT.test(slot)

export function agrees(label: Label, finding: Finding, measure: Measure): boolean {
  const { kinds } = label
  const kindIsRight =
    measure === 'strict'
      ? kinds.includes(finding.kind)
      : kinds.some((kind) => choiceOr(kind) === choiceOr(finding.kind))
  return kindIsRight && sameThing(label, finding) && (measure === 'value' || sameSlot(label, finding))
}

/** Statements and acceptances are both choices. */
const choiceOr = (kind: Finding['kind']): string => (kind === 'accept' ? 'assert' : kind)

/** The slot of a dictionary must be the same; of a setting only that it is one, of a name which one. */
export function sameSlot({ slot }: Label, finding: Finding): boolean {
  if (slot === 'any') return true
  const [prefix = '', name] = splitSlot(slot)
  const [foundPrefix, foundName = ''] = splitSlot(finding.slot)
  if (prefix !== foundPrefix) return false
  return prefix !== 'name' || compact(foundName) === compact(name ?? '')
}

function splitSlot(slot: string): readonly [string, string | undefined] {
  const at = slot.indexOf(':')
  return at === -1 ? [slot, undefined] : [slot.slice(0, at), slot.slice(at + 1)]
}

function sameThing(label: Label, finding: Finding): boolean {
  if (label.slot === 'rule') return plain(finding.quote).includes(plain(label.value))
  if (label.value === '') return sameSlot(label, finding)
  return equalValues(hasDictionarySlot(label) ? label.slot : finding.slot, label.value, finding.value)
}

/** The same value in other words: an alias, other punctuation, or one word more on either side ("20", "20 connections"). */
export function equalValues(slot: string, a: string, b: string): boolean {
  if (sameValue(slot, a, b) || compact(a) === compact(b)) return true
  const [short = [], long = []] = [words(a), words(b)].sort((x, y) => x.length - y.length)
  if (short.length === 0 || long.length !== short.length + 1) return false
  return [0, 1].some((from) => short.every((word, index) => word === long[from + index]))
}

const plain = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ')
const words = (text: string): string[] => plain(text).match(/[\p{L}\p{N}.,+#/_:-]*[\p{L}\p{N}+#*]/gu) ?? []
/** Letters, digits and the signs that tell C, C++ and C# apart. */
const compact = (text: string): string => plain(text).replace(/[^\p{L}\p{N}+#*]/gu, '')
