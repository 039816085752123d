import { InvalidOptionError } from '@palimpsest/core'

export interface BytePage {
  readonly text: string
  readonly offset: number
  readonly bytes: number
  readonly total: number
  readonly next: number | null
}

/**
 * Cuts a page from byte `offset`: at most `limit` bytes, and at most `characters` characters as JSON text. An offset
 * inside a character moves to its start. A page is empty only at the end of the text.
 */
export function cutBytes(text: string, offset: number, limit: number, characters: number): BytePage {
  const bytes = Buffer.from(text, 'utf8')
  const total = bytes.length
  const start = characterStart(bytes, Math.min(offset, total))
  let end = characterStart(bytes, Math.min(start + limit, total))
  let piece = bytes.toString('utf8', start, end)
  for (let size = JSON.stringify(piece).length; size > characters && end > start; ) {
    end = characterStart(bytes, start + Math.floor((end - start) * Math.min(0.95, characters / size)))
    piece = bytes.toString('utf8', start, end)
    size = JSON.stringify(piece).length
  }
  if (end === start && start < total) {
    end = characterEnd(bytes, start)
    piece = bytes.toString('utf8', start, end)
  }
  return { text: piece, offset: start, bytes: end - start, total, next: end < total ? end : null }
}

function characterStart(bytes: Uint8Array, offset: number): number {
  let start = offset
  while (start > 0 && isContinuation(bytes[start])) start--
  return start
}

function characterEnd(bytes: Uint8Array, start: number): number {
  let end = start + 1
  while (isContinuation(bytes[end])) end++
  return end
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

export function checkOffset(offset: number, total: number, what: string): void {
  if (offset === 0 || offset < total) return
  throw new InvalidOptionError('offset', `offset ${offset} is after the end: ${what}`)
}
