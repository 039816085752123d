/** A file of architectural decision records. */
export interface MadrFile {
  /** Its name, with the folders below the one that all are in: `0001-use-postgresql.md`. */
  readonly fileName: string
  readonly text: string
}

/** Files of one import, and characters of one of them that are read. Records are written to be read by people. */
export const MAX_MADR_FILES = 5_000
export const MAX_MADR_CHARACTERS = 256 * 1024
