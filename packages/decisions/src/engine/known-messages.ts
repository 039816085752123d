import type { Role } from '@palimpsest/core'
import type { SourceMessage } from '../candidates/source-message.ts'
import { createTextHash } from '../log/hash-text.ts'

type KnownMessage = Pick<SourceMessage, 'hash' | 'turn' | 'role'>

const HASH_BYTES = 32
/** A record: the hash, the number of the turn in 32 bits, and the role. */
const ROLE_AT = HASH_BYTES + 4
const RECORD = ROLE_AT + 1

const ROLES: readonly Role[] = ['system', 'developer', 'user', 'assistant', 'tool']

/** Each message of a transcript with its hash, its turn and its role: in bytes, because a history may have any length. */
export class KnownMessages {
  #length = 0
  #records = Buffer.alloc(0)
  /** The hash of the first so many messages. A longer beginning goes on from it. */
  #prefix = { count: 0, hash: createTextHash() }

  get length(): number {
    return this.#length
  }

  /** As `Array.at` does. */
  at(index: number): KnownMessage | undefined {
    const place = index < 0 ? index + this.#length : index
    const hash = this.hashAt(place)
    if (hash === undefined) return undefined
    const start = place * RECORD
    const turn = this.#records.readUInt32LE(start + HASH_BYTES)
    return { hash, turn, role: ROLES[this.#records[start + ROLE_AT] ?? 0] ?? 'tool' }
  }

  hashAt(index: number): string | undefined {
    if (index < 0 || index >= this.#length) return undefined
    return this.#records.toString('hex', index * RECORD, index * RECORD + HASH_BYTES)
  }

  slice(from: number, to: number): KnownMessage[] {
    const messages: KnownMessage[] = []
    for (let index = from; index < to; index++) messages.push(this.at(index) as KnownMessage)
    return messages
  }

  push({ hash, turn, role }: KnownMessage): void {
    const start = this.#length * RECORD
    if (start + RECORD > this.#records.length)
      this.#records = Buffer.concat([this.#records, Buffer.alloc(Math.max(64 * RECORD, start >> 1))])
    this.#records.write(hash, start, 'hex')
    this.#records.writeUInt32LE(turn, start + HASH_BYTES)
    this.#records[start + ROLE_AT] = ROLES.indexOf(role)
    this.#length++
  }

  /** Forgets the messages from one on. */
  cut(from: number): void {
    this.#length = from
    if (this.#prefix.count > from) this.#prefix = { count: 0, hash: createTextHash() }
  }

  /** One hash for the first messages, with their turns and roles; undefined when there are not so many. */
  prefixHash(count: number): string | undefined {
    if (count > this.#length) return undefined
    if (this.#prefix.count > count) this.#prefix = { count: 0, hash: createTextHash() }
    const { hash, count: from } = this.#prefix
    hash.update(this.#records.subarray(from * RECORD, count * RECORD))
    this.#prefix = { count, hash }
    return hash.copy().digest('hex')
  }
}
