import { packName, unpackName } from '@palimpsest/lcm/store-kit'

/** In front of a hash that is no SHA-256, and longer than one: no two hashes become the same bytes. */
const OTHER = Buffer.alloc(33)

/** A hash as bytes: half of what its digits take. */
export function hashBytes(hash: string): Buffer {
  return /^[0-9a-f]{64}$/.test(hash)
    ? Buffer.from(hash, 'hex')
    : Buffer.concat([OTHER, Buffer.from(packName(hash))])
}

/** Undoes `hashBytes`. */
export function hashOf(bytes: Buffer): string {
  return bytes.length === 32 ? bytes.toString('hex') : unpackName(bytes.subarray(OTHER.length).toString())
}
