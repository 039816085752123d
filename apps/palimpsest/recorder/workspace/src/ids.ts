import { LedgerError } from './errors.ts'

/** Entry ids are `E-` and six digits. They stand in reports and in the accountants' own files. */
export function formatId(sequence: number): string {
  return `E-${String(sequence).padStart(6, '0')}`
}

export function sequenceOf(id: string): number {
  const match = /^E-(\d{6,})$/.exec(id)
  if (match === null) throw new LedgerError('bad-entry', `"${id}" is not an entry id`)
  return Number(match[1])
}

export interface IdSequence {
  next(): string
}

export function createIdSequence(last = 0): IdSequence {
  let sequence = last
  return {
    next() {
      sequence += 1
      return formatId(sequence)
    },
  }
}
