import { PalimpsestError } from '@palimpsest/core'
import { firstLine } from '../../first-line.ts'
import { UsageError } from '../../usage-error.ts'

export function failureLine(error: unknown): string {
  const isExpected = error instanceof UsageError || PalimpsestError.isInstance(error)
  const line = firstLine(error).trim()
  const sentence = /[.!?]$/.test(line) ? line : `${line}.`
  return isExpected ? sentence : `${sentence} (This is a bug: please report it.)`
}
