import { hashText } from '../../log/hash-text.ts'
/** A file of architectural decision records. */
export interface MadrFile {
  /** Its name, with the folders below the one that all are in: `0001-use-postgresql.md`. */
  readonly fileName: string
  readonly text: string
}

/** Files of one import, and characters of one of them that are read. Records are written to be read by people. */
export const MAX_MADR_FILES = 5_000
export const MAX_MADR_CHARACTERS = 256 * 1024

/** The number of a record in the name of its file or in its title: `0012-use-x.md`, `adr-12.md`, `12. Use X`. A date is none. */
export function recordNumber(name: string): number | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1)
  const [, digits] = /^(?!\d{4}-\d{2}-\d{2})(?:adr[-_#\s]?)?0*(\d{1,6})(?=[-_.:)\s–]|$)/i.exec(base) ?? []
  return digits === undefined ? undefined : Number(digits)
}

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
