import { createHash } from 'node:crypto'

/** SHA-256 of names, by which a row is found however long they are. */
export function nameDigest(...names: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(names)).digest()
}
