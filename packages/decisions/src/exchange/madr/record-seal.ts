import { hashText } from '../../log/hash-text.ts'

const SEAL = /\n<!-- palimpsest ([0-9a-f]{64}) -->\n$/
/** The line in which `toMadr` names the decision. */
const DECISION = /^\* Decision: (d[0-9a-f]{12}), /m

/** A record with a last line that tells later whether it was edited. */
export function sealRecord(text: string): string {
  return `${text}\n<!-- palimpsest ${hashText(text)} -->\n`
}

/**
 * The decision that a record was written for, and whether the record is still as it was written. Undefined for a file
 * that `toMadr` did not write.
 */
export function readSeal(
  text: string,
): { readonly decision: string; readonly isUntouched: boolean } | undefined {
  const unix = text.replaceAll('\r\n', '\n')
  const [, decision] = DECISION.exec(unix) ?? []
  if (decision === undefined) return undefined
  const [seal = '', hash] = SEAL.exec(unix) ?? []
  return { decision, isUntouched: hashText(unix.slice(0, unix.length - seal.length)) === hash }
}
