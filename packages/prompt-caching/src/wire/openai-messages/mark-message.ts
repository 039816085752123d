import type { BlockTtls } from '../anchors-by-place.ts'
import { type Fields, isFields } from '../fields.ts'
import { extendPart, toParts } from '../wrapped-content.ts'
import type { Carriage } from './carriage.ts'
import { messagePieces } from './message-pieces.ts'

/**
 * A copy of a message without markers that has them on these blocks, of which each carries one or is where
 * `system_and_3` sets one; the message itself when there are none. A text becomes a list of one part, with the same bytes
 * in it.
 */
export function markMessage(message: Fields, ttls: BlockTtls, carriage: Carriage): Fields {
  const pieces = messagePieces(message, carriage)
  let marked = message
  let parts: unknown[] | undefined
  for (const [block, ttl] of ttls) {
    const piece = pieces[block]
    const place = piece?.place ?? piece?.systemAnd3
    if (place === undefined) continue
    const marker = carriage.marker(ttl)
    if (place.on === 'message') {
      marked = { ...marked, [carriage.field]: marker }
      continue
    }
    parts ??= toParts(message.content)
    const part = parts[place.index]
    if (isFields(part)) parts[place.index] = extendPart(part, carriage.field, marker)
  }
  return parts === undefined ? marked : { ...marked, content: parts }
}
