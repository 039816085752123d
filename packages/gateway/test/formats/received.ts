import { createBodyMemory, type ReceivedBody } from '../../src/formats/body-memory.ts'
import type { BodyPiece } from '../../src/formats/body-pieces.ts'

/**
 * A body that has come.
 *
 * @param step bytes of a chunk. Default: all come at once.
 */
export function received(
  text: string,
  list: string,
  { memory = createBodyMemory(), step = Number.POSITIVE_INFINITY, declared = 0 } = {},
): ReceivedBody {
  const bytes = Buffer.from(text)
  const upload = memory.begin(list, declared)
  for (let at = 0; at < bytes.length; at += step) upload.take(bytes.subarray(at, at + step))
  return upload.end()
}

export function textOf(pieces: readonly BodyPiece[]): string {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array))).toString()
}
