import { isStorable } from '../messages/storable-text.ts'

/** Marks a name that is written as JSON. */
const JSON_MARK = '\u0001'

/** A name (a key, a role, a reason) as a text that a database can hold and compare, whatever characters are in it. */
export function packName(name: string): string {
  return isStorable(name) && !name.startsWith(JSON_MARK) ? name : JSON_MARK + JSON.stringify(name)
}

/** Undoes `packName`. */
export function unpackName(packed: string): string {
  return packed.startsWith(JSON_MARK) ? JSON.parse(packed.slice(JSON_MARK.length)) : packed
}

/** A hash as bytes: half of what its digits take. Anything else than 64 hexadecimal digits stays a text. */
export function packHash(hash: string): string | Uint8Array {
  return /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, 'hex') : packName(hash)
}

/** Undoes `packHash`. */
export function unpackHash(packed: string | Uint8Array): string {
  if (typeof packed === 'string') return unpackName(packed)
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('hex')
}
