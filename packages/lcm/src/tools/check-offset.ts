import { InvalidOptionError } from '@palimpsest/core'

/** @throws InvalidOptionError when there is nothing at an offset. The beginning of nothing may be read. */
export function checkOffset(offset: number, total: number, what: string): void {
  if (offset === 0 || offset < total) return
  throw new InvalidOptionError('offset', `offset ${offset} is behind the end: ${what}`)
}
