import type { SourceMessage } from '../candidates/source-message.ts'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { normalValue } from '../log/normal-text.ts'
import { valueKey } from '../resolve/value-key.ts'
import { findTechnologies } from '../slots/find-technologies.ts'

/** Tells whether a message says a name, a number or a value. */
export interface SourceWords {
  /** Whether it says a value: in these words, or a technology by another of its names. */
  says(value: string): boolean
  /** Whether every identifier, number and technology of a text stands in it. */
  backs(text: string): boolean
}

const known = new WeakMap<SourceMessage, SourceWords>()

/** The words of a message; one message is read once. */
export function sourceWords(message: SourceMessage): SourceWords {
  const found = known.get(message) ?? read(message.text)
  known.set(message, found)
  return found
}

function read(text: string): SourceWords {
  const flat = normalValue(text)
  const technologies = new Set(findTechnologies(text).map(({ value }) => valueKey(value)))
  const says = (value: string): boolean => {
    const wanted = normalValue(value)
    return wanted !== '' && (flat.includes(wanted) || technologies.has(valueKey(value)))
  }
  return {
    says,
    backs: (claim) =>
      findTechnologies(claim).every(({ sure, value }) => !sure || says(value)) &&
      extractIdentifiers(claim).every(({ text: name }) => says(name)) &&
      (claim.match(/\d+/g) ?? []).every((number) => flat.includes(number)),
  }
}
