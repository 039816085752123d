import { findTechnologies } from '../slots/find-technologies.ts'
import { slotOfWord } from '../slots/slot-lookup.ts'
import type { Finding } from './finding.ts'
import {
  EVERYWHERE_IN,
  FRONTED_PART,
  INSIDE_PART,
  LABELLED_PART,
  NEEDS_OF,
  NO_PART,
  OF_PART,
  SUBJECT_PART,
} from './lexicon/part-words.ts'
import { isSettingNoun } from './setting-names.ts'

const MAX_PART_CHARS = 40

/** A part of the project that a sentence names. */
export interface Part {
  /** Lower case, without an article. */
  readonly name: string
  /** How it is named; what is said more plainly counts more. */
  readonly as: 'everywhere' | 'of' | 'fronted' | 'label' | 'subject' | 'inside'
  /** Offsets of the words that do nothing but name it. */
  readonly start: number
  readonly end: number
}

/** The part of the project that a sentence is about, when its words name one. */
export function partOf(shape: string): Part | undefined {
  return (
    found(EVERYWHERE_IN.exec(shape), 'everywhere') ??
    ofPart(shape) ??
    found(FRONTED_PART.exec(shape), 'fronted') ??
    found(LABELLED_PART.exec(shape), 'label') ??
    subject(shape) ??
    found(INSIDE_PART.exec(shape), 'inside')
  )
}

/** The sentence without the words that only name its part: as long, so that offsets stay. */
export function withoutPart(shape: string, part: Part | undefined): string {
  if (part === undefined || part.as === 'subject' || part.as === 'inside') return shape
  return shape.slice(0, part.start) + ' '.repeat(part.end - part.start) + shape.slice(part.end)
}

/** A finding in the part that its sentence names. Rules keep the part in their text. */
export function inPart(finding: Finding, part: Part | undefined): Finding {
  const { slot, area, kind } = finding
  if (part === undefined || kind === 'end' || /^(?:rule|fact):/.test(slot)) return finding
  if (part.as === 'of' || part.as === 'everywhere') return { ...finding, area: part.name }
  // What a technology is used in may be where the words stand that are spoken of.
  const isPiece = area !== '' && part.as !== 'inside' && ` ${part.name} `.includes(` ${area} `)
  if ((area !== '' && !isPiece) || (part.as === 'inside' && !slot.includes(':'))) return finding
  return { ...finding, area: part.name }
}

function found(match: RegExpExecArray | null, as: Part['as']): Part | undefined {
  const { name = '', whole = '' } = match?.groups ?? {}
  if (match === null || !isPart(name, as)) return undefined
  const start = match.index + match[0].indexOf(whole)
  return { name: name.toLowerCase().replace(/\s+/g, ' '), as, start, end: start + whole.length }
}

function ofPart(shape: string): Part | undefined {
  for (const match of shape.matchAll(OF_PART)) {
    const part = NEEDS_OF.test(shape.slice(0, match.index)) ? undefined : found(match, 'of')
    if (part !== undefined) return part
  }
  return undefined
}

/** Two subjects are two parts, and which is meant by what is said behind them is not known. */
function subject(shape: string): Part | undefined {
  const [only, ...others] = shape.matchAll(SUBJECT_PART)
  return only === undefined || others.length > 0 || only.index > 0 ? undefined : found(only, 'subject')
}

function isPart(name: string, as: Part['as']): boolean {
  if (name.length < 3 || name.length > MAX_PART_CHARS || NO_PART.test(name)) return false
  if (isSettingNoun(name) || slotOfWord(name) !== undefined || findTechnologies(name).length > 0) return false
  // "Search: …" is a heading, "voucher import: …" a part.
  return as !== 'label' || /\s/.test(name)
}
